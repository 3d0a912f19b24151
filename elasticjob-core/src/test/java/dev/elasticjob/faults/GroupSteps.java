package dev.elasticjob.faults;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.faults.SelfStop.Fault;
import dev.elasticjob.group.ShardAssignment;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.DelegatingRegistry;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.testing.TestZooKeeper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * One instance of some groups, which tells each call of its notices. In a JVM of its own, it stops itself when it is asked
 * to, as soon as it takes a certain step: killed, right after the transaction is committed; paused, right before it is
 * sent. It ends with the JVM that started it.
 */
final class GroupSteps {
    private static final String MARK = "STEP";

    private final String instance;
    private final Consumer<String> output;
    private final SelfStop stop = new SelfStop();

    /** @param output receives what it tells, line by line */
    GroupSteps(String instance, Consumer<String> output) {
        this.instance = instance;
        this.output = output;
    }

    /** A transaction by which indexes go to other instances. */
    enum Step {
        /** The leader ends the present assignment. */
        STOP,
        /** An instance that has stopped gives its index back. */
        RELEASE,
        /** The leader makes the next assignment. */
        ASSIGN,
        HOLD;

        static Optional<Step> of(RegistryCommit commit) {
            for (Operation operation : commit.operations()) {
                boolean ofIndex = operation.path().endsWith("/running");
                if (operation instanceof Operation.Set && operation.path().endsWith("/sharding")) {
                    boolean stops = new String(operation.data(), StandardCharsets.UTF_8).contains("\"stopping\":true");
                    return Optional.of(stops ? STOP : ASSIGN);
                } else if (ofIndex && operation instanceof Operation.Delete) {
                    return Optional.of(RELEASE);
                } else if (ofIndex && operation instanceof Operation.Create) {
                    return Optional.of(HOLD);
                }
            }
            return Optional.empty();
        }
    }

    enum Call {
        BEGINS,
        STOPPING,
        STOPPED,
        /** The process stops itself. */
        SILENCED
    }

    /** One call, on the share that it begins or ends. */
    record Told(String process, Instant at, Call call, String group, int index, int total, long epoch) {
        static Optional<Told> parse(String line) {
            String[] words = line.split(" ");
            return words[0].equals(MARK)
                    ? Optional.of(new Told(
                            words[1],
                            Instant.parse(words[2]),
                            Call.valueOf(words[3]),
                            words[4],
                            Integer.parseInt(words[5]),
                            Integer.parseInt(words[6]),
                            Long.parseLong(words[7])))
                    : Optional.empty();
        }
    }

    /** @param arguments the connect string, the instance's id, and its group */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        GroupSteps steps = new GroupSteps(arguments[1], System.out::println);
        steps.engine(steps.stepping(SelfStop.connect(arguments[0]), arguments[2]), List.of(arguments[2]))
                .start();
        steps.stop.doAsAsked();
    }

    /** An engine without any job, in these groups, not started. */
    ElasticJobEngine engine(Registry registry, List<String> groups) {
        ElasticJobEngine engine = ElasticJobEngine.builder(registry)
                .instanceId(instance)
                .ip(instance)
                .serverTick(TestZooKeeper.TICK)
                .build();
        groups.forEach(group -> engine.groups().join(group, new Notice(group)));
        return engine;
    }

    private Registry stepping(Registry registry, String group) {
        return new DelegatingRegistry() {
            @Override
            protected Registry delegate() {
                return registry;
            }

            @Override
            public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                Optional<Step> step = Step.of(commit);
                step.ifPresent(sent -> stopsAt(Fault.PAUSED, sent, group));
                return registry.commit(session, commit).thenApply(outcome -> {
                    if (outcome.isCommitted()) {
                        step.ifPresent(committed -> stopsAt(Fault.KILLED, committed, group));
                    }
                    return outcome;
                });
            }
        };
    }

    private void stopsAt(Fault fault, Step step, String group) {
        stop.at(fault, step.name(), () -> tell(Call.SILENCED, group, Optional.empty()));
    }

    private synchronized void tell(Call call, String group, Optional<ShardAssignment> share) {
        String own = share.map(now -> "%d %d %d".formatted(now.index(), now.total(), now.epoch()))
                .orElse("-1 0 0");
        output.accept("%s %s %s %s %s %s".formatted(MARK, instance, Instant.now(), call, group, own));
    }

    private final class Notice implements ShardingNotice {
        private final String group;
        private volatile Optional<ShardAssignment> present = Optional.empty();

        Notice(String group) {
            this.group = group;
        }

        @Override
        public void shardingCompleted(ShardAssignment assignment) {
            present = Optional.of(assignment);
            tell(Call.BEGINS, group, present);
        }

        @Override
        public void startSharding() {
            tell(Call.STOPPING, group, present);
            tell(Call.STOPPED, group, present);
        }
    }
}
