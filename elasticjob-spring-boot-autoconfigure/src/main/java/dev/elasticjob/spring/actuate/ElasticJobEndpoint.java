package dev.elasticjob.spring.actuate;

import dev.elasticjob.group.GroupInspector;
import dev.elasticjob.group.GroupReport;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.spring.actuate.JobsBody.JobWithItemsBody;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** Shows jobs: those of this application, and any other of the namespace. Each call reads the registry. */
@Endpoint(id = "elasticjob", defaultAccess = Access.READ_ONLY)
public final class ElasticJobEndpoint {
    private static final String JMX = "jmx";

    private final JobQuestions questions;
    private final Supplier<List<GroupInspector>> groups;
    private final HistoryOperations history;
    private final JobCommands commands;
    private final String usualScope;

    /**
     * @param questions about jobs
     * @param groups one for each context of the application that has groups
     * @param history of the application's jobs
     * @param commands for jobs
     * @param usualScope the scope where none is asked for
     */
    ElasticJobEndpoint(
            JobQuestions questions,
            Supplier<List<GroupInspector>> groups,
            HistoryOperations history,
            JobCommands commands,
            String usualScope) {
        this.commands = commands;
        this.questions = questions;
        this.groups = groups;
        this.history = history;
        this.usualScope = usualScope;
    }

    /**
     * The jobs and groups of this application; with a scope, the whole namespace.
     *
     * @param scope "application" (the default), "namespace" for a page of all jobs (the default of an instance that only
     *     submits), "servers", or "attention" for what needs a person in any job
     * @param name part of the names, in any case
     * @param status of the jobs, such as "NO_INSTANCE"; answered from a slow sweep, whose age the answer has
     * @param after the value of "next" in the answer before
     * @throws IllegalArgumentException when a value can't be understood
     * @throws RegistryUnavailableException if the registry doesn't answer in time
     */
    @ReadOperation
    public OperationResponseBody jobs(
            @Nullable String scope, @Nullable String name, @Nullable String status, @Nullable String after) {
        String asked = scope == null ? usualScope : scope;
        if (!asked.equals("application")) {
            return questions.namespace(asked, name, status, after);
        }
        if (name != null || status != null || after != null) {
            throw new IllegalArgumentException(
                    "Expected \"scope=namespace\" with \"name\", \"status\" or \"after\", because the jobs of the"
                            + " application are always shown together");
        }
        return jobs();
    }

    /** The jobs and groups of this application. */
    public JobsBody jobs() {
        return JobsBody.of(
                questions.jobs(),
                groups.get().stream()
                        .flatMap(inspector -> questions.answer(inspector.groups()).stream())
                        .sorted(Comparator.comparing(GroupReport::group))
                        .toList());
    }

    /**
     * Any job of the namespace. Returns null if there is no such job, which the Actuator answers with 404.
     *
     * @throws RegistryUnavailableException if the registry doesn't answer in time
     */
    @ReadOperation
    public @Nullable JobWithItemsBody job(@Selector String job) {
        return questions.job(job);
    }

    /**
     * A view of a job: "definition", "instances", "due-times" (of which "limit" says how many), "commands", the last
     * 50 that were carried out, "preview", who would own which items after a resharding, or "tree", its nodes as text. From the event trace: entries with the view "history", and with "runs" its runs as a grid. Null for any other view, and
     * without an event trace for the last two, which the Actuator answers with 404.
     *
     * @param outcome one or several, separated by commas
     * @param after the value of "next" in the answer before
     * @param without of preview: the ids of instances that would be gone, separated by commas
     * @param more of preview: how many instances would join
     * @param total of preview: the number of items
     * @param strategy of preview: the sharding strategy
     * @throws IllegalArgumentException when a value can't be understood
     * @throws IllegalStateException if the job's state doesn't allow a preview
     */
    @ReadOperation
    public @Nullable OperationResponseBody view(
            @Selector String job,
            @Selector String view,
            @Nullable Integer item,
            @Nullable String runId,
            @Nullable String outcome,
            @Nullable Instant from,
            @Nullable Instant until,
            @Nullable String after,
            @Nullable Integer limit,
            @Nullable String without,
            @Nullable Integer more,
            @Nullable Integer total,
            @Nullable String strategy) {
        OperationResponseBody body = switch (view) {
            case "definition" -> commands.definition(job);
            case "preview" -> questions.preview(job, without, more, total, strategy);
            default -> questions.view(job, view, limit);
        };
        return body != null
                ? body
                : history.view(
                        job, view, new HistoryOperations.Filter(item, runId, outcome, from, until, after, limit));
    }

    /**
     * With the view "explain", why an item doesn't run. With the view "history", an entry, with the whole text of its
     * failure and its steps. Null if there is none.
     *
     * @param id the number of the item, or the id of the entry
     */
    @ReadOperation
    public @Nullable OperationResponseBody entry(@Selector String job, @Selector String view, @Selector String id) {
        return view.equals("explain") ? questions.explanation(job, id) : history.entry(job, view, id);
    }

    /**
     * Carries out a command, in the name of the JMX client. Exists only with unrestricted access to the endpoint.
     *
     * @param command "trigger", "cancel", "run-again", "backfill", "stop-backfill", "reshard", "disable", "enable",
     *     "disable-server", "enable-server", "disable-item", "enable-item", "create", "redefine", "remove",
     *     "pause", "resume", "drain" or "undrain"
     * @param reason why, for the log and the event
     * @param runId of a trigger; of cancel and run-again, the firing or run that is meant
     * @param newRunId of run-again
     * @param from of backfill
     * @param until of backfill
     * @param atOnce of backfill
     * @param items of a trigger, separated by commas
     * @param item of disable-item, enable-item and cancel
     * @param settings of create and redefine: "name=value", one in each line
     * @throws IllegalArgumentException if the command or an argument can't be understood, or there is no such job, item or
     *     server
     * @throws IllegalStateException if the job's state doesn't allow the command
     */
    @WriteOperation
    public OperationResponseBody command(
            @Selector String job,
            @Selector String command,
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
        return command(
                JMX,
                job,
                command,
                new JobCommands.Arguments(
                        reason, runId, newRunId, from, until, atOnce, parameter, items, item, server, instance, version,
                        settings));
    }

    /**
     * Carries out a command for all jobs of the namespace, in the name of the JMX client. Exists only with unrestricted
     * access to the endpoint.
     *
     * @param command "pause-all", "resume-all", "drain-all" or "undrain-all"
     * @param reason why, for the log and the event
     * @param instance of "drain-all" and "undrain-all"
     * @throws IllegalArgumentException if the command can't be understood, or there is no such instance
     */
    @WriteOperation
    public OperationResponseBody commandForAll(
            @Selector String command, @Nullable String reason, @Nullable String instance) {
        return commandForAll(JMX, command, reason, instance);
    }

    OperationResponseBody commandForAll(
            String actor, String command, @Nullable String reason, @Nullable String instance) {
        return commands.carryOutForAll(actor, command, reason, instance);
    }

    OperationResponseBody command(String actor, String job, String command, JobCommands.Arguments arguments) {
        return commands.carryOut(actor, job, command, arguments);
    }
}
