package dev.elasticjob.console.api;

import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobReport.Execution;
import dev.elasticjob.admin.JobReport.ItemReport;
import dev.elasticjob.admin.JobReport.WaitingRun;
import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.admin.command.CommandHistory;
import dev.elasticjob.admin.command.UnreadableSettings;
import dev.elasticjob.admin.command.VersionedDefinition;
import dev.elasticjob.console.history.Operations.Operation;
import dev.elasticjob.console.web.Access;
import dev.elasticjob.console.web.InvalidRequestException.Violation;
import dev.elasticjob.console.web.Route.Call;
import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.Secrets;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.definition.codec.SalvagedSettings;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Whether an answer has the parameters of jobs, items and runs, and the values of job properties. They may be passwords, so
 * people who may only look see masks in their place, as {@link Secrets} has them; a mask is refused where it is sent back.
 * Pure. Answers that are not made here have no parameters.
 */
enum Parameters {
    SHOWN,
    MASKED;

    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();

    /** A setting in the text of what a command has changed, as {@code DefinitionDifferences} writes it. */
    private static final Pattern CHANGED = Pattern.compile("(?:^|; )(%s)[A-Za-z.]*: \""
            .formatted(JobSettings.ALL.stream().map(Object::toString).collect(Collectors.joining("|"))));

    private static final Set<String> HAVE_SECRETS = Set.of(JobSettings.HTTP.name(), JobSettings.JOB_PROPERTIES.name());

    private static final Pattern NAMED = Pattern.compile(JobSettings.ALL.stream()
            .map(Object::toString)
            .filter(JobSettings::isParameter)
            .collect(Collectors.joining("|")));

    /** What the caller may see, of the job that the path names, or of all. */
    static Parameters of(Access access, Call call) {
        return of(access, call, call.job());
    }

    /** What the caller may see of a job; empty for all. */
    static Parameters of(Access access, Call call, Optional<String> job) {
        return access.seesParameters(call.request().caller(), job) ? SHOWN : MASKED;
    }

    Bodies.Definition definition(VersionedDefinition definition) {
        return this == SHOWN
                ? Bodies.Definition.of(definition)
                : new Bodies.Definition(definition.version(), definition.settingsWithoutParameters(), Optional.empty());
    }

    String yaml(VersionedDefinition definition) {
        return this == SHOWN ? definition.yaml() : definition.yamlWithoutParameters();
    }

    Bodies.Definition unreadable(UnreadableSettings found) {
        SalvagedSettings salvaged = found.salvaged();
        List<Violation> faults = found.faults().stream()
                .map(fault -> new Violation(fault.setting(), found(fault.setting(), fault.found()), expected(fault)))
                .toList();
        return new Bodies.Definition(
                found.version(),
                this == SHOWN ? salvaged.shown() : salvaged.shownWithoutParameters(),
                Optional.of(new Bodies.Unreadable(found.node(), found.reason(), faults)));
    }

    /** Of a group, it may be a secret for everybody. */
    private String found(String setting, String value) {
        boolean group = HAVE_SECRETS.contains(setting);
        return group || (this == MASKED && JobSettings.isParameter(setting)) ? masked(value) : value;
    }

    /** The text may repeat the value. */
    private String expected(InvalidJobDefinitionException.Violation fault) {
        return this == MASKED && JobSettings.isParameter(fault.setting()) ? "expected another value" : fault.expected();
    }

    CompletionStage<Optional<String>> dump(JobInspector inspector, String job) {
        return this == SHOWN ? inspector.dump(job) : inspector.dumpWithoutParameters(job);
    }

    // ------------------------------------------------------------------ applications

    /** The text of a failed worker, or several of them: what its code has written is cut off. */
    String endOfLog(String text) {
        int log = text.indexOf(PublishedApp.LAST_LINES);
        return this == SHOWN || log < 0
                ? text
                : text.substring(0, log + PublishedApp.LAST_LINES.length()) + Secrets.MASK;
    }

    // ------------------------------------------------------------------ items

    List<ItemReport> items(List<ItemReport> items) {
        return this == SHOWN ? items : items.stream().map(Parameters::masked).toList();
    }

    private static ItemReport masked(ItemReport item) {
        return new ItemReport(
                item.item(),
                item.owner(),
                item.running(),
                item.lock(),
                item.disabled(),
                item.misfired(),
                item.waitsForFailover(),
                item.pauseEnds(),
                item.waitingRuns().stream().map(Parameters::masked).toList(),
                masked(item.itemRecord()),
                item.checkpoint(),
                item.problem(),
                item.recorded(),
                item.owes(),
                item.progress(),
                item.overweight(),
                item.successorAwaitedUntil(),
                item.progressProblem());
    }

    private static WaitingRun masked(WaitingRun run) {
        return new WaitingRun(run.runIds(), masked(run.parameter()), run.requester(), run.repeats(), run.dropped());
    }

    private static Execution masked(Execution last) {
        return new Execution(
                last.state(),
                last.scheduledAt(),
                last.instance(),
                last.runId(),
                last.runParameter().map(Parameters::masked),
                last.requester(),
                last.attempt(),
                last.crashes(),
                last.startedAt(),
                last.finishedAt(),
                last.failure(),
                last.cancelled(),
                last.failing());
    }

    private static String masked(String value) {
        return value.isEmpty() ? value : Secrets.MASK;
    }

    // ------------------------------------------------------------------ commands of the past

    List<CommandHistory.Entry> commands(List<CommandHistory.Entry> commands) {
        return this == SHOWN
                ? commands
                : commands.stream().map(Parameters::masked).toList();
    }

    private static CommandHistory.Entry masked(CommandHistory.Entry entry) {
        return new CommandHistory.Entry(
                entry.at(),
                entry.actor(),
                entry.reason(),
                entry.command(),
                entry.before(),
                succeeded(entry.outcome()),
                entry.settings().stream().map(CODEC::withoutParameters).toList());
    }

    List<Operation> operations(List<Operation> operations) {
        return this == SHOWN
                ? operations
                : operations.stream().map(Parameters::masked).toList();
    }

    private static Operation masked(Operation one) {
        return new Operation(
                one.at(),
                one.job(),
                one.actor(),
                one.command(),
                one.reason(),
                one.before(),
                one.succeeded(),
                one.succeeded() ? succeeded(one.outcome()) : refused(one.outcome()));
    }

    /** Of changed settings, only the names: a value may have any form. */
    private static String succeeded(String outcome) {
        Matcher changed = CHANGED.matcher(outcome);
        if (changed.lookingAt()) {
            return "changed "
                    + changed.reset()
                            .results()
                            .map(setting -> setting.group(1))
                            .distinct()
                            .collect(Collectors.joining(", "));
        }
        return Secrets.mayBeIn(outcome) ? Secrets.MASK : outcome;
    }

    /** It may repeat the value that was refused. */
    private static String refused(String outcome) {
        return NAMED.matcher(outcome).find() || Secrets.mayBeIn(outcome) ? Secrets.MASK : outcome;
    }
}
