package dev.elasticjob.spring.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.JobAdmin.TriggerAnswer;
import dev.elasticjob.admin.RunRequest;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.PauseAnswer;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.command.VersionedDefinition;
import dev.elasticjob.admin.run.BackfillAnswer;
import dev.elasticjob.admin.run.BackfillRequest;
import dev.elasticjob.admin.run.CancelAnswer;
import dev.elasticjob.admin.run.CancelAnswer.Result;
import dev.elasticjob.admin.run.CancelRequest;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint changes. Thread-safe; waits for the registry's answer.
 *
 * @param admins one for each context of the application that has jobs
 * @param questions waits for answers
 */
record JobCommands(Supplier<List<JobAdmin>> admins, JobQuestions questions) {
    private static final List<String> COMMANDS = Stream.concat(
                    Stream.of(
                            "trigger",
                            "cancel",
                            "run-again",
                            "backfill",
                            "stop-backfill",
                            "reshard",
                            "disable",
                            "enable",
                            "disable-server",
                            "enable-server",
                            "disable-item",
                            "enable-item",
                            "create",
                            "redefine",
                            "remove"),
                    HoldCommands.OF_JOB.stream())
            .toList();

    /**
     * The arguments of a command; each may be null.
     *
     * @param reason of any command
     * @param runId of a trigger: repeating it triggers no second run; of cancel and run-again, the firing or run that is meant
     * @param newRunId of run-again; repeating it triggers no second run
     * @param from of backfill
     * @param until of backfill
     * @param atOnce of backfill; 1 if absent
     * @param parameter of a trigger
     * @param items of a trigger, separated by commas
     * @param item of disable-item, enable-item and cancel
     * @param server of disable-server and enable-server
     * @param instance of drain and undrain
     * @param version of redefine
     * @param settings of create and redefine: {@code name=value}, one in each line; a dot leads into a group, as in {@code http.uri}
     */
    record Arguments(
            @Nullable String reason,
            @Nullable String runId,
            @Nullable String newRunId,
            @Nullable Instant from,
            @Nullable Instant until,
            @Nullable Integer atOnce,
            @Nullable String parameter,
            @Nullable String items,
            @Nullable Integer item,
            @Nullable String server,
            @Nullable String instance,
            @Nullable String version,
            @Nullable String settings) {
        private RunRequest run() {
            RunRequest request = new RunRequest(orNew(runId), parameter == null ? "" : parameter);
            return items == null ? request : request.ofItems(numbers(items));
        }

        private CancelRequest cancellation() {
            return new CancelRequest(Optional.ofNullable(item), Optional.ofNullable(runId));
        }

        private BackfillRequest range() {
            return new BackfillRequest(given("from", from), given("until", until), atOnce == null ? 1 : atOnce);
        }

        private static String orNew(@Nullable String id) {
            return id == null ? UUID.randomUUID().toString() : id;
        }

        private static NavigableSet<Integer> numbers(String items) {
            NavigableSet<Integer> numbers = new TreeSet<>();
            try {
                Arrays.stream(items.split(","))
                        .map(String::strip)
                        .map(Integer::valueOf)
                        .forEach(numbers::add);
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "Expected \"items\" to be numbers separated by commas, but it was \"%s\"".formatted(items), e);
            }
            return numbers;
        }
    }

    /**
     * What a command has done.
     *
     * @param results of a cancellation, for each item
     * @param times how many scheduled times a backfill has
     */
    @JsonInclude(Include.NON_NULL)
    public record CommandBody(
            String job,
            String command,
            String actor,
            @Nullable String runId,
            @Nullable SortedSet<Integer> items,
            @Nullable SortedSet<Integer> disabled,
            @Nullable SortedMap<Integer, Result> results,
            @Nullable Integer times,
            @Nullable String version)
            implements OperationResponseBody {
        private CommandBody with(TriggerAnswer answer) {
            return new CommandBody(
                    job, command, actor, answer.runId(), answer.items(), answer.disabled(), null, null, null);
        }

        private CommandBody with(CancelAnswer answer) {
            return new CommandBody(job, command, actor, answer.runId(), null, null, answer.items(), null, null);
        }

        private CommandBody with(BackfillAnswer answer) {
            return new CommandBody(job, command, actor, null, null, null, null, answer.times(), null);
        }

        private CommandBody with(VersionedDefinition after) {
            return new CommandBody(job, command, actor, null, null, null, null, null, after.version());
        }
    }

    /** A definition, and the version that redefine takes. */
    public record DefinitionBody(String version, Map<String, Object> settings) implements OperationResponseBody {
        static DefinitionBody of(VersionedDefinition definition) {
            return new DefinitionBody(definition.version(), definition.settings());
        }
    }

    /** Null if there is no such job. */
    @Nullable
    DefinitionBody definition(String job) {
        try {
            return DefinitionBody.of(first(admin -> admin.versionedDefinition(job)));
        } catch (UnknownTargetException e) {
            return null;
        }
    }

    /**
     * Carries out a command, and waits until the registry has stored it. A removal continues after that.
     *
     * @throws IllegalArgumentException if the command or an argument can't be understood
     * @throws IllegalStateException if the job's state doesn't allow the command
     */
    OperationResponseBody carryOut(String actor, String job, String command, Arguments arguments) {
        Actor by = actor(actor, arguments.reason());
        if (HoldCommands.OF_JOB.contains(command)) {
            return held(by, HoldCommands.ofJob(actor, job, command, arguments.instance()));
        }
        CommandBody plain = new CommandBody(job, command, actor, null, null, null, null, null, null);
        Function<JobAdmin, CompletionStage<CommandBody>> carrying = switch (command) {
            case "trigger" -> {
                RunRequest run = arguments.run();
                yield admin -> admin.trigger(job, run).thenApply(plain::with);
            }
            case "cancel" -> {
                CancelRequest request = arguments.cancellation();
                yield admin -> admin.cancel(job, request).thenApply(plain::with);
            }
            case "run-again" -> {
                String failed = given("runId", arguments.runId());
                String newRunId = Arguments.orNew(arguments.newRunId());
                yield admin -> admin.triggerAgain(job, failed, newRunId).thenApply(plain::with);
            }
            case "backfill" -> {
                BackfillRequest range = arguments.range();
                yield admin -> admin.backfill(job, range).thenApply(plain::with);
            }
            case "create" -> {
                Map<String, Object> settings = settings(given("settings", arguments.settings()));
                yield admin -> admin.create(job, settings).thenApply(plain::with);
            }
            case "redefine" -> {
                String version = given("version", arguments.version());
                Map<String, Object> settings = settings(given("settings", arguments.settings()));
                yield admin -> admin.redefine(job, version, settings).thenApply(plain::with);
            }
            default -> {
                Function<JobAdmin, CompletionStage<Void>> other = other(job, command, arguments);
                yield admin -> other.apply(admin).thenApply(done -> plain);
            }
        };
        return first(admin -> carrying.apply(admin.by(by)));
    }

    /**
     * Carries out a command for all jobs of the namespace.
     *
     * @param instance of a drain
     * @throws IllegalArgumentException if the command or an argument can't be understood
     */
    OperationResponseBody carryOutForAll(
            String actor, String command, @Nullable String reason, @Nullable String instance) {
        return held(actor(actor, reason), HoldCommands.ofNamespace(actor, command, instance));
    }

    private static Actor actor(String name, @Nullable String reason) {
        return Actor.named(name).because(reason == null ? "" : reason);
    }

    /** Such commands wait for the instances, too. */
    private OperationResponseBody held(Actor by, Function<JobAdmin, CompletionStage<OperationResponseBody>> command) {
        return first(
                admin -> command.apply(admin.by(by)), stage -> questions.answerAfter(PauseAnswer.LONGEST_WAIT, stage));
    }

    private static Function<JobAdmin, CompletionStage<Void>> other(String job, String command, Arguments arguments) {
        return switch (command) {
            case "reshard" -> admin -> admin.reshard(job);
            case "disable" -> admin -> admin.disable(job);
            case "enable" -> admin -> admin.enable(job);
            case "stop-backfill" -> admin -> admin.stopBackfill(job);
            case "disable-server", "enable-server" -> {
                String server = given("server", arguments.server());
                yield command.startsWith("d")
                        ? admin -> admin.disableServer(job, server)
                        : admin -> admin.enableServer(job, server);
            }
            case "disable-item", "enable-item" -> {
                int item = given("item", arguments.item());
                yield command.startsWith("d")
                        ? admin -> admin.disableItem(job, item)
                        : admin -> admin.enableItem(job, item);
            }
            case "remove" -> admin -> admin.remove(job);
            default -> throw HoldCommands.unknown(COMMANDS, command);
        };
    }

    /** The Actuator passes texts only. */
    private static Map<String, Object> settings(String lines) {
        Map<String, Object> settings = new LinkedHashMap<>();
        lines.lines().filter(line -> !line.isBlank()).forEach(line -> {
            int sign = line.indexOf('=');
            if (sign < 1) {
                throw new IllegalArgumentException(
                        "Expected \"settings\" to have one \"name=value\" in each line, but found \"%s\""
                                .formatted(line));
            }
            put(
                    settings,
                    line.substring(0, sign).strip(),
                    line.substring(sign + 1).strip());
        });
        return settings;
    }

    @SuppressWarnings("unchecked") // Groups are only put here.
    private static void put(Map<String, Object> settings, String name, String value) {
        int dot = name.indexOf('.');
        if (dot < 0) {
            settings.put(name, value);
        } else {
            Object group = settings.computeIfAbsent(name.substring(0, dot), any -> new LinkedHashMap<String, Object>());
            if (!(group instanceof Map)) {
                throw new IllegalArgumentException(
                        "Expected either a value or a group for \"%s\" in \"settings\"".formatted(name));
            }
            put((Map<String, Object>) group, name.substring(dot + 1), value);
        }
    }

    static <T> T given(String name, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException("Expected \"%s\" in the body of the request".formatted(name));
        }
        return value;
    }

    /** The answer of the first context whose registry has the job. */
    private <T> T first(Function<JobAdmin, CompletionStage<T>> command) {
        return first(command, questions::answer);
    }

    private <T> T first(Function<JobAdmin, CompletionStage<T>> command, Function<CompletionStage<T>, T> answer) {
        UnknownTargetException unknown =
                new UnknownTargetException("This application has no jobs, so it has no connection to a registry");
        for (JobAdmin admin : admins.get()) {
            try {
                return answer.apply(command.apply(admin));
            } catch (UnknownTargetException e) {
                unknown = e;
            }
        }
        throw unknown;
    }
}
