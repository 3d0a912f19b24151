package dev.elasticjob.kubernetes.registry;

import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.RegistryJobInspector;
import dev.elasticjob.admin.ServerReport;
import dev.elasticjob.admin.ServerReport.InstanceOnServer;
import dev.elasticjob.admin.ServerReport.Part;
import dev.elasticjob.kubernetes.plan.Registered;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Reads the work of a namespace. There are no rules here: what will be open after a time is what somebody sees whose clock is
 * ahead by that time.
 */
record NamespaceWork(Registry registry, Clock clock, TaskTimer timer) {
    CompletionStage<Work> read(Set<Duration> ahead) {
        Map<Duration, List<JobDemand>> demands = new HashMap<>();
        List<Duration> wanted = new ArrayList<>(ahead);
        wanted.remove(Duration.ZERO);
        wanted.add(Duration.ZERO);
        CompletionStage<Map<Duration, List<JobDemand>>> all = CompletableFuture.completedFuture(demands);
        for (Duration one : wanted) {
            all = all.thenCompose(read -> inspector(one).demands().thenApply(found -> {
                read.put(one, found);
                return read;
            }));
        }
        return all.thenCompose(
                read -> inspector(Duration.ZERO).servers().thenApply(servers -> new Work(read, registered(servers))));
    }

    private JobInspector inspector(Duration ahead) {
        return new RegistryJobInspector(registry, Clock.offset(clock, ahead), timer, clock::instant, TreeMap::new);
    }

    private static List<Registered> registered(List<ServerReport> servers) {
        return servers.stream()
                .flatMap(server -> server.instances().stream())
                .map(NamespaceWork::registered)
                .toList();
    }

    private static Registered registered(InstanceOnServer instance) {
        return new Registered(
                instance.id(),
                instance.parts().stream().map(Part::job).collect(Collectors.toSet()),
                instance.parts().stream()
                        .filter(part -> (part.matches() && !part.takenOut())
                                || !part.running().isEmpty())
                        .map(Part::job)
                        .collect(Collectors.toSet()),
                instance.parts().stream()
                        .filter(part -> part.takenOut() && !part.running().isEmpty())
                        .collect(Collectors.toMap(
                                Part::job, part -> part.running().size())),
                instance.parts().stream()
                        .filter(part -> !part.matches() && !part.takenOut())
                        .map(Part::job)
                        .collect(Collectors.toSet()));
    }
}
