package dev.elasticjob.admin.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.RequestedBy;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.definition.codec.SettingChange;
import dev.elasticjob.job.Failures;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last 50 commands of each job, in its node {@code commands}: {@code docs/internals/protocol.md}. A command is added
 * after it has taken effect, so it is missing if the process dies in between, or if the registry is unavailable then.
 * Thread-safe.
 */
public record CommandHistory(ExistingJobs jobs, GuardedWrites writes) {
    private static final Logger log = LoggerFactory.getLogger(CommandLog.class);
    /** More would make the node a burden to those who read it. */
    static final int MOST = 50;

    private static final int BYTES = 120;
    /** Of the values of all settings that one command has changed. */
    private static final int BYTES_OF_SETTINGS = 1_000;

    /**
     * A command that was carried out on a job. Its texts are cut to 120 bytes of UTF-8, on one line.
     *
     * @param at by the registry's clock
     * @param reason empty if none was given
     * @param command for example {@code disable item 3}
     * @param before what the command was about to change, as it was read; may be empty
     * @param outcome what came of it
     * @param settings that it has changed; values that together have more than 1,000 bytes are unknown
     */
    public record Entry(
            Instant at,
            String actor,
            String reason,
            String command,
            String before,
            String outcome,
            List<SettingChange> settings) {
        public Entry {
            settings = List.copyOf(settings);
        }
    }

    /** The commands in such a node, newest first; none if it can't be read. */
    public static List<Entry> read(RegistryNode node) {
        List<Entry> all = new ArrayList<>();
        stored(node).forEach(stored -> all.add(stored.entry(node.modified())));
        Collections.reverse(all);
        return all;
    }

    private static List<Stored> stored(RegistryNode node) {
        return StateJson.read(node.data(), Stored[].class).stream()
                .flatMap(Arrays::stream)
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Adds a command. Never fails: the command itself has succeeded.
     *
     * @param known what was {@link #reads read} of the job before; empty to read it now
     */
    CompletionStage<Void> add(
            String jobName,
            Actor actor,
            String command,
            String before,
            String outcome,
            List<SettingChange> settings,
            Optional<RegistryAnswer> known) {
        Stored next = new Stored(
                null,
                cut(actor.name()),
                cut(actor.reason().orElse("")),
                cut(command),
                cut(before),
                cut(outcome),
                valuesOf(settings));
        JobTree tree = new JobTree(jobName);
        // A refused transaction shows that it is out of date: then the job is read again.
        Queue<RegistryAnswer> first = new ArrayDeque<>(known.stream().toList());
        Supplier<CompletionStage<RegistryAnswer>> job = () -> Optional.ofNullable(first.poll())
                .<CompletionStage<RegistryAnswer>>map(CompletableFuture::completedFuture)
                .orElseGet(() -> jobs.read(jobName, reads(tree)));
        return writes.repeat(
                        jobName, () -> job.get().thenCompose(answer -> writes.attempt(added(tree, answer, next), true)))
                .handle((done, error) -> {
                    if (error != null && !(Stages.unwrap(error) instanceof UnknownTargetException)) {
                        log.warn(
                                "Job \"{}\": \"{}\" was carried out, but is missing from the job's last commands: {}",
                                jobName,
                                command,
                                Failures.text(Stages.unwrap(error)));
                    }
                    return error == null;
                })
                .thenAccept(kept -> {});
    }

    /** The nodes of a job that are read to add a command, besides its definition. */
    public static List<RegistryRead> reads(JobTree tree) {
        return RegistryRead.allData(tree.commands());
    }

    /** Whether a read has failed because this node may not be read. */
    public static boolean isDenied(Throwable error, JobTree tree) {
        return Stages.unwrap(error) instanceof RegistryAccessDeniedException denied
                && denied.path().endsWith(tree.commands());
    }

    /** Not where the job is being removed: nothing may be created there. */
    private static RegistryCommit added(JobTree tree, RegistryAnswer job, Stored next) {
        Optional<RegistryNode> node = job.node(tree.commands());
        return RegistryCommit.builder()
                .addAll(StoredDefinition.of(tree, job).inForce().orElseThrow().check())
                .setOrCreate(tree.commands(), text(node, next), node.map(RegistryNode::version))
                .build();
    }

    /** The time of the newest one is that of the node. It is written down with the next one. */
    private static String text(Optional<RegistryNode> node, Stored next) {
        List<Stored> all = new ArrayList<>();
        node.ifPresent(known ->
                stored(known).forEach(stored -> all.add(stored.at() == null ? stored.at(known.modified()) : stored)));
        all.add(next);
        return StateJson.text(all.subList(Math.max(0, all.size() - MOST), all.size()));
    }

    /** Each setting with its value before and after, or with none if there is no room. */
    private static Map<String, @Nullable Object> valuesOf(List<SettingChange> settings) {
        Map<String, @Nullable Object> kept = new LinkedHashMap<>();
        int room = BYTES_OF_SETTINGS;
        for (SettingChange change : settings) {
            List<Object> both = Stream.of(change.before(), change.after())
                    .flatMap(Optional::stream)
                    .toList();
            int bytes = RegistryCommit.bytes(StateJson.text(both));
            boolean fits = both.size() == 2 && bytes <= room;
            kept.put(change.setting(), fits ? both : List.of());
            room -= fits ? bytes : 0;
        }
        return kept;
    }

    private static String cut(String text) {
        return RequestedBy.cut(text, BYTES);
    }

    @JsonInclude(Include.NON_EMPTY)
    private record Stored(
            @Nullable Instant at,
            @Nullable String actor,
            @Nullable String reason,
            @Nullable String command,
            @Nullable String before,
            @Nullable String outcome,
            // Not List<Object>: a null in it would be skipped in reading, and with it the place of the other value.
            @JsonSetter(contentNulls = Nulls.SET) @Nullable Map<String, @Nullable Object> settings) {
        Stored at(Instant time) {
            return new Stored(time, actor, reason, command, before, outcome, settings);
        }

        Entry entry(Instant newest) {
            return new Entry(
                    at == null ? newest : at,
                    orEmpty(actor),
                    orEmpty(reason),
                    orEmpty(command),
                    orEmpty(before),
                    orEmpty(outcome),
                    changes());
        }

        private List<SettingChange> changes() {
            List<SettingChange> changes = new ArrayList<>();
            if (settings != null) {
                settings.forEach((name, both) -> changes.add(new SettingChange(name, value(both, 0), value(both, 1))));
            }
            return changes;
        }

        /** Anything may stand in a node. */
        private static Optional<Object> value(@Nullable Object both, int place) {
            return both instanceof List<?> values && values.size() == 2
                    ? Optional.ofNullable(values.get(place))
                    : Optional.empty();
        }

        private static String orEmpty(@Nullable String text) {
            return text == null ? "" : text;
        }
    }
}
