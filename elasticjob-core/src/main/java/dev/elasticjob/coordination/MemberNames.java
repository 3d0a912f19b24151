package dev.elasticjob.coordination;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.List;

/**
 * Which instances and servers a job has, by name.
 *
 * @param servers by address
 */
record MemberNames(List<String> instances, List<String> servers) {
    static final MemberNames NONE = new MemberNames(List.of(), List.of());

    MemberNames {
        instances = instances.stream().sorted().toList();
        servers = servers.stream().sorted().toList();
    }

    static MemberNames of(JobView view) {
        return new MemberNames(view.instances(), view.servers());
    }

    /** What has to be read of them. */
    List<RegistryRead> reads(JobTree tree) {
        List<RegistryRead> reads = new ArrayList<>();
        instances.forEach(id -> reads.add(RegistryRead.data(tree.instance(id))));
        servers.forEach(ip -> reads.add(RegistryRead.data(tree.server(ip))));
        return reads;
    }
}
