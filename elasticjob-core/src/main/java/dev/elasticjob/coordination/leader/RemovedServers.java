package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.session.JobScope;
import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.state.ServerState;
import dev.elasticjob.coordination.view.Members;
import dev.elasticjob.coordination.view.Members.Member;
import dev.elasticjob.coordination.view.Members.Server;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recreates the deleted node of a server on which an instance lives. Without the node, operators could no longer
 * disable that server, and one that they have disabled would be enabled again. Confined to the coordination executor.
 */
final class RemovedServers {
    private static final Logger log = LoggerFactory.getLogger(RemovedServers.class);

    private final JobScope scope;
    private final Map<String, Server> known = new HashMap<>();

    RemovedServers(JobScope scope) {
        this.scope = scope;
    }

    /**
     * Compares the servers, before a plan is made.
     *
     * @return empty if no server is missing
     */
    Optional<CompletionStage<Next>> restore(RegistrySession session, Members members) {
        Set<String> lost = members.all().stream()
                .filter(member -> member.origin().session() != 0)
                .map(Member::serverIp)
                .filter(ip -> !members.servers().containsKey(ip))
                .collect(Collectors.toCollection(TreeSet::new));
        known.keySet().retainAll(lost);
        known.putAll(members.servers());
        if (lost.isEmpty()) {
            return Optional.empty();
        }
        RegistryCommit.Builder commit = RegistryCommit.builder();
        lost.forEach(ip -> commit.create(scope.tree().server(ip), state(ip)));
        return Optional.of(scope.connection().commit(session, commit.build()).thenApply(outcome -> {
            if (outcome.isCommitted()) {
                lost.forEach(this::report);
            }
            return Next.AGAIN;
        }));
    }

    private String state(String ip) {
        return Optional.ofNullable(known.get(ip)).filter(Server::disabled).isPresent()
                ? ServerState.DISABLED
                : ServerState.ENABLED;
    }

    private void report(String ip) {
        log.warn(
                "Job \"{}\": the node \"{}\" was deleted while an instance was running on that server; it was created"
                        + " again, {}. To take the server out of service, disable it",
                scope.jobName(),
                scope.tree().server(ip),
                state(ip).isEmpty() ? "enabled" : "disabled as before");
    }
}
