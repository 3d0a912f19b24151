package dev.elasticjob.admin.command;

import dev.elasticjob.admin.command.CommandLog.Command;
import dev.elasticjob.coordination.session.DataLoss;
import dev.elasticjob.coordination.session.Incarnation;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** What operators write into the registry's own node after it has lost its data. Thread-safe. */
public record DataLossCommands(GuardedWrites writes, CommandLog commands) {
    /** The highest token that others can be raised above: as many are left for what comes. */
    public static final long HIGHEST_TOKEN = Long.MAX_VALUE / 2;

    private static final String PATH = JobTree.registry();

    public CompletionStage<Boolean> confirm() {
        Command command = commands.beginForAll("confirm the loss of the registry's data");
        Actor actor = commands.actor();
        return command.reporting(
                written(
                        command,
                        there -> there.flatMap(Incarnation::unconfirmed)
                                .flatMap(loss -> there.map(found -> found.confirmed(
                                        actor.name(), actor.reason().orElse(""))))),
                changed -> changed ? "confirmed" : "there is no loss to confirm");
    }

    /** @throws IllegalArgumentException if there are no such tokens */
    public CompletionStage<Boolean> raiseTokens(long above) {
        if (above < 0 || above > HIGHEST_TOKEN) {
            throw new IllegalArgumentException(
                    "Expected a fencing token from 0 to %d, but it was %d".formatted(HIGHEST_TOKEN, above));
        }
        Command command = commands.beginForAll("raise fencing tokens above " + above);
        return command.reporting(
                written(command, there -> {
                    Incarnation found = there.orElseThrow(() -> new IllegalStateException(
                            "Expected the node \"%s\", but no instance has started in this namespace yet: start one, with"
                                            .formatted(PATH)
                                    + " all jobs paused if they must not run before"));
                    return found.base() >= above ? Optional.empty() : Optional.of(found.withBase(above));
                }),
                changed -> changed ? "raised" : "they are higher already");
    }

    /** @param next what is written; empty if nothing has to be */
    private CompletionStage<Boolean> written(
            Command command, Function<Optional<Incarnation>, Optional<Incarnation>> next) {
        return writes.repeatForAll(() -> writes.registry()
                .read(RegistryRead.allData(PATH))
                .thenCompose(answer -> {
                    Optional<RegistryNode> node = answer.node(PATH);
                    Optional<Incarnation> there = node.flatMap(Incarnation::read);
                    command.found(there.map(DataLossCommands::text).orElse("no instance has started yet"));
                    Optional<Incarnation> wanted = next.apply(there);
                    RegistryCommit.Builder commit = RegistryCommit.builder();
                    wanted.ifPresent(
                            written -> commit.setOrCreate(PATH, written.text(), node.map(RegistryNode::version)));
                    return writes.attempt(commit.build(), wanted.isPresent());
                }));
    }

    private static String text(Incarnation there) {
        return "%s; fencing tokens are above %d"
                .formatted(there.unconfirmed().map(DataLoss::fact).orElse("no loss to confirm"), there.base());
    }
}
