package dev.elasticjob.coordination.view;

import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.List;

/**
 * The names of a job's instances and servers.
 *
 * @param servers by address
 * @param draining instances that give their items away, or did so before they died
 */
public record MemberNames(List<String> instances, List<String> servers, List<String> draining) {
    public static final MemberNames NONE = new MemberNames(List.of(), List.of(), List.of());

    public MemberNames {
        instances = instances.stream().sorted().toList();
        servers = servers.stream().sorted().toList();
        draining = draining.stream().sorted().toList();
    }

    public static MemberNames of(JobView view) {
        return new MemberNames(view.instances(), view.servers(), view.draining());
    }

    /** The reads that they need. */
    public List<RegistryRead> reads(JobTree tree) {
        List<RegistryRead> reads = new ArrayList<>();
        instances.forEach(id -> reads.add(RegistryRead.data(tree.instance(id))));
        servers.forEach(ip -> reads.add(RegistryRead.data(tree.server(ip))));
        draining.forEach(id -> reads.add(RegistryRead.data(tree.drain(id))));
        return reads;
    }
}
