package dev.elasticjob.coordination.group;

import dev.elasticjob.coordination.session.Next;
import dev.elasticjob.coordination.session.ReconcileLoop;
import dev.elasticjob.coordination.session.SessionLease;
import dev.elasticjob.coordination.session.SharedConnection;
import dev.elasticjob.group.GroupEvent;
import dev.elasticjob.group.OnStopTimeout;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What the parts of one group's coordination share.
 *
 * @param connection of the engine
 * @param workers gives each call of the application's code a thread at once
 * @param holds is told before an index is worked on: the lease has to be kept from then on
 * @param events receives what happened; called on the coordination executor only
 */
public record GroupScope(
        GroupTree tree,
        SharedConnection connection,
        SessionLease lease,
        Executor workers,
        Times times,
        Consumer<RegistrySession> holds,
        Consumer<GroupEvent> events) {
    /**
     * How long the leader of a group waits.
     *
     * @param stopTimeout for instances to stop
     * @param onStopTimeout what happens then
     * @param joinDelay for further instances, after one has joined
     */
    public record Times(Duration stopTimeout, OnStopTimeout onStopTimeout, Duration joinDelay) {
        public static final Times DEFAULT =
                new Times(Duration.ofSeconds(30), OnStopTimeout.WAIT, Duration.ofSeconds(1));

        public Times {
            check("stop-timeout", stopTimeout);
            check("join-delay", joinDelay);
        }

        private static void check(String name, Duration duration) {
            if (duration.isNegative()) {
                throw new IllegalArgumentException(
                        "\"elasticjob.dynamic-sharding.%s\" must not be negative, but is %s: set it to 0 or more"
                                .formatted(name, DurationText.of(duration)));
            }
        }
    }

    String name() {
        return tree.name();
    }

    Registry registry() {
        return connection.registry();
    }

    Executor executor() {
        return connection.executor();
    }

    ReconcileLoop loop(Supplier<CompletionStage<Next>> round) {
        return connection.loop("Group \"%s\"".formatted(name()), round);
    }
}
