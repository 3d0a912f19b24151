package dev.elasticjob.faults;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.DelegatingRegistry;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryCommit.Operation;
import dev.elasticjob.registry.RegistrySession;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A registry that recognizes the transactions by which a firing goes on, and tells of them before they are sent and after
 * they are committed. Whoever is told may stop the process: then nothing of it has been sent, or nothing follows from it.
 */
final class SteppedRegistry extends DelegatingRegistry {
    private static final Pattern LOCK_OF_HOOK = Pattern.compile("/orders-[^/]+/firings/(\\d+)");
    private static final Pattern LOCK_OF_ITEM = Pattern.compile("/(orders|reports)-[^/]+/sharding/\\d+/running");
    private static final Pattern ENTRY = Pattern.compile("/reports-[^/]+/after/(\\d+)");
    private static final Pattern FOLLOWER = Pattern.compile("/orders-[^/]+/followers/reports-[^/]+");
    private static final Pattern SCHEDULED = Pattern.compile("\"scheduledAt\":\"([^\"]+)\"");
    private static final Pattern FOLLOWING = Pattern.compile("\"runId\":\"after-(\\d+)\"");

    /** A transaction by which a firing goes on. */
    enum Step {
        /** The listeners are claimed for the call before the first item. */
        OPEN,
        BEFORE_ENDED,
        CLAIM,
        COMPLETION,
        /** The listeners are claimed for the call after the last item. */
        AFTER_BEGUN,
        ENDED,
        /** The follower's run is asked for. */
        ASKED,
        FOLLOWER_CLAIM,
        FOLLOWER_COMPLETION,
        /** A follower is registered with its parent, before any firing. */
        FOLLOWED,
        /** A firing after which the follower doesn't run is forgotten. */
        DROPPED;

        /** Those that each firing takes. */
        static final Set<Step> OF_FIRINGS = EnumSet.range(OPEN, FOLLOWER_COMPLETION);
    }

    private final Registry registry;
    private final BiConsumer<Step, Instant> sends;
    private final BiConsumer<Step, Instant> committed;

    /**
     * @param sends receives each step, and the firing that it belongs to, before it is sent
     * @param committed receives it when it is committed, before the engine does
     */
    SteppedRegistry(Registry registry, BiConsumer<Step, Instant> sends, BiConsumer<Step, Instant> committed) {
        this.registry = registry;
        this.sends = sends;
        this.committed = committed;
    }

    @Override
    protected Registry delegate() {
        return registry;
    }

    @Override
    public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
        commit.operations().forEach(operation -> step(operation, commit, sends));
        return registry.commit(session, commit).thenApply(outcome -> {
            if (outcome.isCommitted()) {
                commit.operations().forEach(operation -> step(operation, commit, committed));
            }
            return outcome;
        });
    }

    private static void step(Operation operation, RegistryCommit commit, BiConsumer<Step, Instant> told) {
        boolean creates = operation instanceof Operation.Create;
        boolean deletes = operation instanceof Operation.Delete;
        Matcher hook = LOCK_OF_HOOK.matcher(operation.path());
        Matcher item = LOCK_OF_ITEM.matcher(operation.path());
        Matcher entry = ENTRY.matcher(operation.path());
        if (hook.matches() && (creates || deletes)) {
            Instant firing = Instant.ofEpochMilli(Long.parseLong(hook.group(1)));
            ofHook(creates, phase(commit, firing)).ifPresent(step -> told.accept(step, firing));
        } else if (item.matches() && (creates || deletes)) {
            String record = text(commit, operation.path().replace("/running", ""));
            if (item.group(1).equals("orders")) {
                find(SCHEDULED, record)
                        .ifPresent(
                                firing -> told.accept(creates ? Step.CLAIM : Step.COMPLETION, Instant.parse(firing)));
            } else {
                find(FOLLOWING, record)
                        .ifPresent(firing -> told.accept(
                                creates ? Step.FOLLOWER_CLAIM : Step.FOLLOWER_COMPLETION,
                                Instant.ofEpochMilli(Long.parseLong(firing))));
            }
        } else if (entry.matches() && deletes) {
            boolean asks =
                    commit.operations().stream().anyMatch(other -> other.path().endsWith("/trigger"));
            told.accept(asks ? Step.ASKED : Step.DROPPED, Instant.ofEpochMilli(Long.parseLong(entry.group(1))));
        } else if (creates && FOLLOWER.matcher(operation.path()).matches()) {
            told.accept(Step.FOLLOWED, Instant.EPOCH);
        }
    }

    private static Optional<Step> ofHook(boolean locks, String phase) {
        return Optional.ofNullable(
                switch (phase) {
                    case "BEFORE" -> locks ? Step.OPEN : null;
                    case "AFTER" -> locks ? Step.AFTER_BEGUN : null;
                    case "ITEMS" -> locks ? null : Step.BEFORE_ENDED;
                    default -> locks ? null : Step.ENDED;
                });
    }

    /** The phase that the transaction leaves the firing in; empty if it ends it. */
    private static String phase(RegistryCommit commit, Instant firing) {
        String firings = commit.operations().stream()
                .filter(operation -> operation.path().endsWith("/firings"))
                .map(SteppedRegistry::text)
                .findFirst()
                .orElse("");
        return find(Pattern.compile("\"at\":\"" + firing + "\"[^}]*\"phase\":\"([A-Z]+)\""), firings)
                .orElse("");
    }

    private static String text(RegistryCommit commit, String path) {
        return commit.operations().stream()
                .filter(operation -> operation.path().equals(path))
                .map(SteppedRegistry::text)
                .findFirst()
                .orElse("");
    }

    private static String text(Operation operation) {
        return new String(operation.data(), StandardCharsets.UTF_8);
    }

    private static Optional<String> find(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }
}
