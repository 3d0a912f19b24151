package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.table.GivenArguments;
import dev.elasticjob.group.GroupInspector;
import dev.elasticjob.group.GroupReport;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final JobViews views;
    private final Supplier<List<GroupInspector>> groups;
    private final JobCommands commands;
    private final String usualScope;

    /**
     * @param views of jobs
     * @param groups one for each context of the application that has groups
     * @param usualScope the scope where none is asked for
     */
    ElasticJobEndpoint(JobViews views, Supplier<List<GroupInspector>> groups, String usualScope) {
        this.questions = views.questions();
        this.commands = views.commands();
        this.views = views;
        this.groups = groups;
        this.usualScope = usualScope;
    }

    /**
     * The jobs and groups of this application; with a scope, the whole namespace.
     *
     * @param scope "application" (the default), "namespace" for a page of all jobs (the default of an instance that only
     *     submits), "servers", "attention" for what needs a person in any job, or "demand" for what is to be done
     * @param name with the scope "namespace": part of the names, in any case
     * @param status with the scope "namespace": of the jobs, such as "NO_INSTANCE"; answered from a slow sweep, whose age
     *     the answer has
     * @param after with the scope "namespace": the value of "next" in the answer before
     * @param jobs with the scope "demand": patterns of names with "*" and "?", separated by commas; all if it is left out
     * @throws IllegalArgumentException when a value can't be understood, or isn't one of the scope's
     * @throws RegistryUnavailableException if the registry doesn't answer in time
     */
    @ReadOperation
    public OperationResponseBody jobs(
            @Nullable String scope,
            @Nullable String name,
            @Nullable String status,
            @Nullable String after,
            @Nullable String jobs) {
        return jobs(new Present()
                .with("scope", scope)
                .with("name", name)
                .with("status", status)
                .with("after", after)
                .with("jobs", jobs)
                .given());
    }

    OperationResponseBody jobs(GivenArguments given) {
        return views.jobs(usualScope, given).orElseGet(this::jobs);
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
     * Any job of the namespace.
     *
     * @throws UnknownTargetException if there is no such job
     * @throws RegistryUnavailableException if the registry doesn't answer in time
     */
    @ReadOperation
    public OperationResponseBody job(@Selector String job) {
        return job(job, new Present().given());
    }

    OperationResponseBody job(String job, GivenArguments given) {
        return views.job(job, given);
    }

    /**
     * A view of a job: "definition", "instances", "due-times" (of which "limit" says how many), "commands", the last
     * 50 that were carried out, "preview", who would own which items after a resharding, or "tree", its nodes as text. From
     * the event trace: entries with the view "history", and with "runs" its runs as a grid.
     *
     * @param outcome one or several, separated by commas
     * @param from a time with its zone
     * @param until a time with its zone
     * @param after the value of "next" in the answer before
     * @param without of preview: the ids of instances that would be gone, separated by commas
     * @param more of preview: how many instances would join
     * @param total of preview: the number of items
     * @param strategy of preview: the sharding strategy
     * @param runOn of preview: the labels that the job asks for
     * @throws UnknownTargetException if there is no such job or view, or no event trace
     * @throws IllegalArgumentException when a value can't be understood, or isn't one of the view's
     * @throws IllegalStateException if the job's state doesn't allow a preview
     */
    @ReadOperation
    public OperationResponseBody view(
            @Selector String job,
            @Selector String view,
            @Nullable Integer item,
            @Nullable String runId,
            @Nullable String outcome,
            @Nullable String from,
            @Nullable String until,
            @Nullable String after,
            @Nullable Integer limit,
            @Nullable String without,
            @Nullable Integer more,
            @Nullable Integer total,
            @Nullable String strategy,
            @Nullable String runOn) {
        GivenArguments given = new Present()
                .with("item", item)
                .with("runId", runId)
                .with("outcome", outcome)
                .with("from", from)
                .with("until", until)
                .with("after", after)
                .with("limit", limit)
                .with("without", without)
                .with("more", more)
                .with("total", total)
                .with("strategy", strategy)
                .with("runOn", runOn)
                .given();
        return view(job, view, given);
    }

    OperationResponseBody view(String job, String view, GivenArguments given) {
        return views.view(job, view, given);
    }

    /**
     * With the view "explain", why an item doesn't run. With the view "history", an entry, with the whole text of its
     * failure and its steps.
     *
     * @param id the number of the item, or the id of the entry
     * @throws UnknownTargetException if there is none
     */
    @ReadOperation
    public OperationResponseBody entry(@Selector String job, @Selector String view, @Selector String id) {
        return entry(job, view, id, new Present().given());
    }

    OperationResponseBody entry(String job, String view, String id, GivenArguments given) {
        return views.entry(job, view, id, given);
    }

    /**
     * Carries out a command, in the name of the JMX client. Exists only with unrestricted access to the endpoint.
     *
     * @param command a row of {@link dev.elasticjob.admin.table.CommandTable} for a job, such as "trigger"
     * @param dryRun "true" to be told what would follow
     * @param reason why, for the log and the event
     * @param runId of trigger; of cancel and run-again, the firing or run that is meant
     * @param newRunId of run-again
     * @param from of backfill, a time with its zone
     * @param until of backfill, a time with its zone
     * @param atOnce of backfill
     * @param items of trigger, cancel, disable-item and enable-item, such as "1,3-5"
     * @param item the same for one item
     * @param settings of create and redefine: "name=value", one in each line
     * @throws IllegalArgumentException if the command or a value can't be understood, a value isn't one of the command's, or
     *     there is no such job, item or server
     * @throws IllegalStateException if the job's state doesn't allow the command
     */
    @WriteOperation
    public OperationResponseBody command(
            @Selector String job,
            @Selector String command,
            @Nullable String dryRun,
            @Nullable String reason,
            @Nullable String runId,
            @Nullable String newRunId,
            @Nullable String from,
            @Nullable String until,
            @Nullable Integer atOnce,
            @Nullable String parameter,
            @Nullable String items,
            @Nullable Integer item,
            @Nullable String server,
            @Nullable String instance,
            @Nullable String version,
            @Nullable String settings) {
        GivenArguments given = new Present()
                .with("dryRun", dryRun)
                .with("reason", reason)
                .with("runId", runId)
                .with("newRunId", newRunId)
                .with("from", from)
                .with("until", until)
                .with("atOnce", atOnce)
                .with("parameter", parameter)
                .with("items", items)
                .with("item", item)
                .with("server", server)
                .with("instance", instance)
                .with("version", version)
                .with("settings", settings)
                .given();
        return command(JMX, job, command, given);
    }

    /**
     * Carries out a command for all jobs of the namespace, in the name of the JMX client. Exists only with unrestricted
     * access to the endpoint.
     *
     * @param command a row of {@link dev.elasticjob.admin.table.CommandTable} for the namespace, such as "pause-all"
     * @param dryRun "true" to be told what would follow
     * @param reason why, for the log and the event
     * @param instance of "drain-all" and "undrain-all"
     * @param app of "suspend-app", "resume-app" and "forget-app"
     * @param above of "raise-fencing-tokens"
     * @throws IllegalArgumentException if the command or a value can't be understood, or there is no such instance
     *     or application
     */
    @WriteOperation
    public OperationResponseBody commandForAll(
            @Selector String command,
            @Nullable String dryRun,
            @Nullable String reason,
            @Nullable String instance,
            @Nullable String app,
            @Nullable String above) {
        return commandForAll(
                JMX,
                command,
                new Present()
                        .with("dryRun", dryRun)
                        .with("reason", reason)
                        .with("instance", instance)
                        .with("app", app)
                        .with("above", above)
                        .given());
    }

    OperationResponseBody commandForAll(String actor, String command, GivenArguments given) {
        return commands.carryOutForAll(actor, command, given);
    }

    OperationResponseBody command(String actor, String job, String command, GivenArguments given) {
        return commands.carryOut(actor, job, command, given);
    }

    /** Parameters of a method: what is null was left out. */
    private static final class Present {
        private final Map<String, Object> values = new LinkedHashMap<>();

        Present with(String name, @Nullable Object value) {
            if (value != null) {
                values.put(name, value);
            }
            return this;
        }

        GivenArguments given() {
            return GivenTexts.given(values);
        }
    }
}
