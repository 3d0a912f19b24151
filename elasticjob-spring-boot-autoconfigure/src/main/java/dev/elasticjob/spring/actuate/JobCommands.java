package dev.elasticjob.spring.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.BackfillAnswer;
import dev.elasticjob.admin.command.BackfillRequest;
import dev.elasticjob.admin.command.CancelAnswer;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.admin.command.DisableAnswer;
import dev.elasticjob.admin.command.PauseAnswer;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.command.TriggerAnswer;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.command.VersionedDefinition;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
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
     * What a command has done.
     *
     * @param runs of a cancellation, if the items have executed several runs: the items of each, such as {@code 1,3-5}
     * @param results for each item, of a cancellation, and of items that are disabled or enabled
     * @param times how many scheduled times a backfill has
     * @param ended of a removal: false while it waits for executions to end, and continues by itself
     */
    @JsonInclude(Include.NON_NULL)
    public record CommandBody(
            String job,
            String command,
            String actor,
            @Nullable String runId,
            @Nullable SortedMap<String, String> runs,
            @Nullable SortedSet<Integer> items,
            @Nullable SortedSet<Integer> disabled,
            @Nullable SortedMap<Integer, ? extends Enum<?>> results,
            @Nullable Integer times,
            @Nullable String version,
            @Nullable Boolean ended)
            implements OperationResponseBody {
        private static CommandBody plain(String job, String command, String actor) {
            return new CommandBody(job, command, actor, null, null, null, null, null, null, null, null);
        }

        private CommandBody with(TriggerAnswer answer) {
            return new CommandBody(
                    job,
                    command,
                    actor,
                    answer.runId(),
                    null,
                    answer.items(),
                    answer.disabled(),
                    null,
                    null,
                    null,
                    null);
        }

        private CommandBody with(CancelAnswer answer) {
            boolean one = answer.runs().size() == 1;
            return new CommandBody(
                    job,
                    command,
                    actor,
                    one ? answer.runId() : null,
                    one ? null : answer.ranges(),
                    null,
                    null,
                    answer.items(),
                    null,
                    null,
                    null);
        }

        private CommandBody with(DisableAnswer answer) {
            return new CommandBody(job, command, actor, null, null, null, null, answer.items(), null, null, null);
        }

        private CommandBody with(BackfillAnswer answer) {
            return new CommandBody(job, command, actor, null, null, null, null, null, answer.times(), null, null);
        }

        private CommandBody with(VersionedDefinition after) {
            return new CommandBody(job, command, actor, null, null, null, null, null, null, after.version(), null);
        }

        private CommandBody hasEnded(boolean removed) {
            return new CommandBody(job, command, actor, null, null, null, null, null, null, null, removed);
        }
    }

    /** A definition, and the version that redefine takes. */
    public record DefinitionBody(String version, Map<String, Object> settings) implements OperationResponseBody {
        static DefinitionBody of(VersionedDefinition definition) {
            return new DefinitionBody(definition.version(), definition.settings());
        }
    }

    /** @throws UnknownTargetException if there is no such job */
    DefinitionBody definition(String job) {
        return DefinitionBody.of(first(admin -> admin.versionedDefinition(job)));
    }

    /**
     * Carries out a command, and waits until the registry has stored it. A removal may continue after that.
     *
     * @throws IllegalArgumentException if the command or a value can't be understood, or a value isn't one of the command's
     * @throws IllegalStateException if the job's state doesn't allow the command
     */
    OperationResponseBody carryOut(String actor, String job, String command, GivenValues given) {
        Actor by = actor(actor, given);
        String taker = taker(command);
        if (HoldCommands.OF_JOB.contains(command)) {
            var holding = HoldCommands.ofJob(actor, job, command, given);
            given.end(taker);
            return held(by, holding);
        }
        CommandBody plain = CommandBody.plain(job, command, actor);
        if (command.equals("remove")) {
            given.end(taker);
            return removed(by, job, plain);
        }
        Function<JobAdmin, CompletionStage<CommandBody>> carrying = switch (command) {
            case "trigger" -> trigger(job, plain, given);
            case "cancel" -> cancel(job, plain, given);
            case "disable-item" -> onItems(plain, given, (admin, items) -> admin.disableItems(job, items));
            case "enable-item" -> onItems(plain, given, (admin, items) -> admin.enableItems(job, items));
            case "run-again" -> runAgain(job, plain, given);
            case "backfill" -> backfill(job, plain, given);
            case "create" -> create(job, plain, given);
            case "redefine" -> redefine(job, plain, given);
            default -> {
                Function<JobAdmin, CompletionStage<Void>> other = other(job, command, given);
                yield admin -> other.apply(admin).thenApply(done -> plain);
            }
        };
        given.end(taker);
        return first(admin -> carrying.apply(admin.by(by)));
    }

    /**
     * Carries out a command for all jobs of the namespace.
     *
     * @throws IllegalArgumentException if the command or a value can't be understood, or a value isn't one of the command's
     */
    OperationResponseBody carryOutForAll(String actor, String command, GivenValues given) {
        Actor by = actor(actor, given);
        var holding = HoldCommands.ofNamespace(actor, command, given);
        given.end(taker(command));
        return held(by, holding);
    }

    private static String taker(String command) {
        return "command \"%s\"".formatted(command);
    }

    private static Actor actor(String name, GivenValues given) {
        Actor actor = Actor.named(name);
        return given.value("reason", actor::because).orElse(actor);
    }

    /** Such commands wait for the instances, too. */
    private OperationResponseBody held(Actor by, Function<JobAdmin, CompletionStage<OperationResponseBody>> command) {
        return first(
                admin -> command.apply(admin.by(by)), stage -> questions.answerAfter(PauseAnswer.LONGEST_WAIT, stage));
    }

    /** A removal takes as long as the longest execution: the answer doesn't wait for that. */
    private OperationResponseBody removed(Actor by, String job, CommandBody plain) {
        return first(
                admin -> admin.by(by).remove(job).thenApply(done -> plain.hasEnded(true)),
                stage -> questions.answerOr(plain.hasEnded(false), stage));
    }

    // ------------------------------------------------------------------ one command each, from the values that it
    // takes

    private static Function<JobAdmin, CompletionStage<CommandBody>> trigger(
            String job, CommandBody plain, GivenValues given) {
        String runId = newId("runId", given);
        String parameter = given.value(
                        "parameter", text -> RunRequest.withParameter(text).parameter())
                .orElse("");
        SortedSet<Integer> items = given.someItems();
        return admin ->
                admin.trigger(job, new RunRequest(runId, parameter, items)).thenApply(plain::with);
    }

    private static Function<JobAdmin, CompletionStage<CommandBody>> cancel(
            String job, CommandBody plain, GivenValues given) {
        SortedSet<Integer> items = given.someItems();
        Optional<String> runId = given.name("runId");
        return admin -> admin.cancel(job, new CancelRequest(items, runId)).thenApply(plain::with);
    }

    private static Function<JobAdmin, CompletionStage<CommandBody>> runAgain(
            String job, CommandBody plain, GivenValues given) {
        Optional<String> failed = given.required("runId", given::name);
        String newRunId = newId("newRunId", given);
        return admin -> admin.triggerAgain(job, failed.orElseThrow(), newRunId).thenApply(plain::with);
    }

    private static Function<JobAdmin, CompletionStage<CommandBody>> backfill(
            String job, CommandBody plain, GivenValues given) {
        Optional<Instant> from = given.required("from", given::time);
        Optional<Instant> until = given.required("until", given::time);
        int atOnce = given.value("atOnce", JobCommands::atOnce).orElse(1);
        return admin -> admin.backfill(job, new BackfillRequest(from.orElseThrow(), until.orElseThrow(), atOnce))
                .thenApply(plain::with);
    }

    private static Function<JobAdmin, CompletionStage<CommandBody>> create(
            String job, CommandBody plain, GivenValues given) {
        Optional<Map<String, Object>> settings = given.required("settings", name -> settings(name, given));
        return admin -> admin.create(job, settings.orElseThrow()).thenApply(plain::with);
    }

    private static Function<JobAdmin, CompletionStage<CommandBody>> redefine(
            String job, CommandBody plain, GivenValues given) {
        Optional<String> version = given.required("version", given::name);
        Optional<Map<String, Object>> settings = given.required("settings", name -> settings(name, given));
        return admin -> admin.redefine(job, version.orElseThrow(), settings.orElseThrow())
                .thenApply(plain::with);
    }

    private static Function<JobAdmin, CompletionStage<Void>> other(String job, String command, GivenValues given) {
        return switch (command) {
            case "reshard" -> admin -> admin.reshard(job);
            case "disable" -> admin -> admin.disable(job);
            case "enable" -> admin -> admin.enable(job);
            case "stop-backfill" -> admin -> admin.stopBackfill(job);
            case "disable-server" -> onServer(given, (admin, server) -> admin.disableServer(job, server));
            case "enable-server" -> onServer(given, (admin, server) -> admin.enableServer(job, server));
            default -> throw HoldCommands.unknown(COMMANDS, command);
        };
    }

    private static Function<JobAdmin, CompletionStage<Void>> onServer(
            GivenValues given, BiFunction<JobAdmin, String, CompletionStage<Void>> command) {
        Optional<String> server = given.required("server", given::name);
        return admin -> command.apply(admin, server.orElseThrow());
    }

    private static Function<JobAdmin, CompletionStage<CommandBody>> onItems(
            CommandBody plain,
            GivenValues given,
            BiFunction<JobAdmin, Set<Integer>, CompletionStage<DisableAnswer>> command) {
        Set<Integer> items = given.requiredItems();
        return admin -> command.apply(admin, items).thenApply(plain::with);
    }

    // ------------------------------------------------------------------ values

    /** The id of a new run. Repeating it triggers no second run. */
    private static String newId(String name, GivenValues given) {
        return given.value(name, text -> new RunRequest(text, "").runId())
                .orElseGet(() -> UUID.randomUUID().toString());
    }

    private static int atOnce(String text) {
        return new BackfillRequest(Instant.EPOCH, Instant.EPOCH, GivenValues.parsed(text)).atOnce();
    }

    /**
     * {@code name=value}, one in each line; a dot leads into a group, as in {@code http.uri}. The Actuator passes texts
     * only.
     */
    private static Optional<Map<String, Object>> settings(String name, GivenValues given) {
        return given.value(name, lines -> {
            Map<String, Object> settings = new LinkedHashMap<>();
            lines.lines().filter(line -> !line.isBlank()).forEach(line -> {
                int sign = line.indexOf('=');
                if (sign < 1) {
                    throw new IllegalArgumentException(
                            "expected one \"name=value\" in each line, but found \"%s\"".formatted(line));
                }
                put(
                        settings,
                        line.substring(0, sign).strip(),
                        line.substring(sign + 1).strip());
            });
            return settings;
        });
    }

    @SuppressWarnings("unchecked") // Groups are only put here.
    private static void put(Map<String, Object> settings, String name, String value) {
        int dot = name.indexOf('.');
        if (dot < 0) {
            settings.put(name, value);
        } else {
            Object group = settings.computeIfAbsent(name.substring(0, dot), any -> new LinkedHashMap<String, Object>());
            if (!(group instanceof Map)) {
                throw new IllegalArgumentException("expected either a value or a group for \"%s\"".formatted(name));
            }
            put((Map<String, Object>) group, name.substring(dot + 1), value);
        }
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
