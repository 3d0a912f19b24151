package dev.elasticjob.admin;

import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.AppCommands;
import dev.elasticjob.admin.command.AwaitedRun;
import dev.elasticjob.admin.command.BackfillAnswer;
import dev.elasticjob.admin.command.BackfillRequest;
import dev.elasticjob.admin.command.CancelAnswer;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.admin.command.CommandHistory;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.admin.command.DataLossCommands;
import dev.elasticjob.admin.command.DefinitionCommands;
import dev.elasticjob.admin.command.DisableAnswer;
import dev.elasticjob.admin.command.DisableCommands;
import dev.elasticjob.admin.command.DrainAnswer;
import dev.elasticjob.admin.command.DrainCommands;
import dev.elasticjob.admin.command.ExistingJobs;
import dev.elasticjob.admin.command.GuardedWrites;
import dev.elasticjob.admin.command.PauseAnswer;
import dev.elasticjob.admin.command.PauseCommands;
import dev.elasticjob.admin.command.PlanWaits;
import dev.elasticjob.admin.command.RunCommands;
import dev.elasticjob.admin.command.RunOutcome;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.admin.command.TriggerAnswer;
import dev.elasticjob.admin.command.UnreadableSettings;
import dev.elasticjob.admin.command.VersionedDefinition;
import dev.elasticjob.admin.command.WholeJobCommands;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.time.SystemTaskTimer;
import dev.elasticjob.time.TaskTimer;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** Each command first reads what it depends on, and guards its writes with the versions read. */
public final class RegistryJobAdmin implements JobAdmin, AutoCloseable {
    private final Registry registry;
    private final CommandLog commands;
    private final PlanWaits waits;
    private final Runnable end;
    private final RunCommands runs;
    private final PauseCommands pauses;
    private final DrainCommands drains;
    private final DisableCommands disables;
    private final DefinitionCommands definitions;
    private final WholeJobCommands wholeJobs;
    private final AppCommands apps;
    private final DataLossCommands losses;

    /** Commands that are only logged, with a timer of their own, which {@link #close()} ends. */
    public RegistryJobAdmin(Registry registry) {
        this(registry, new CommandLog(event -> {}, Actor.UNKNOWN));
    }

    /**
     * The same with a timer of its own.
     *
     * @param commands reports them
     */
    public RegistryJobAdmin(Registry registry, CommandLog commands) {
        this(registry, commands, new SystemTaskTimer("elasticjob-admin"));
    }

    private RegistryJobAdmin(Registry registry, CommandLog commands, SystemTaskTimer own) {
        this(registry, commands, new PlanWaits(own), own::close, ConcurrentHashMap.newKeySet());
    }

    /**
     * @param commands reports them
     * @param timer ends the waits of commands that wait for the instances; stays open
     */
    public RegistryJobAdmin(Registry registry, CommandLog commands, TaskTimer timer) {
        this(registry, commands, new PlanWaits(timer), () -> {}, ConcurrentHashMap.newKeySet());
    }

    private RegistryJobAdmin(
            Registry registry, CommandLog commands, PlanWaits waits, Runnable end, Set<AwaitedRun> awaited) {
        this.registry = registry;
        GuardedWrites writes = new GuardedWrites(registry);
        ExistingJobs jobs = new ExistingJobs(registry);
        this.commands = commands.keptIn(new CommandHistory(jobs, writes));
        this.waits = waits;
        this.end = end;
        this.pauses = new PauseCommands(jobs, writes, this.commands, waits);
        this.drains = new DrainCommands(jobs, writes, this.commands, waits);
        this.disables = new DisableCommands(jobs, writes, this.commands);
        this.runs = new RunCommands(jobs, writes, this.commands, pauses, awaited);
        this.definitions = new DefinitionCommands(jobs, writes, this.commands);
        this.wholeJobs = new WholeJobCommands(jobs, writes, this.commands);
        this.apps = new AppCommands(writes, this.commands);
        this.losses = new DataLossCommands(writes, this.commands);
    }

    @Override
    public JobAdmin by(Actor actor) {
        return new RegistryJobAdmin(registry, commands.by(actor), waits, () -> {}, runs.awaited());
    }

    // ------------------------------------------------------------------ runs

    @Override
    public CompletionStage<TriggerAnswer> trigger(String jobName) {
        return trigger(jobName, RunRequest.create());
    }

    @Override
    public CompletionStage<TriggerAnswer> trigger(String jobName, String runId) {
        return trigger(jobName, new RunRequest(runId, ""));
    }

    @Override
    public CompletionStage<TriggerAnswer> trigger(String jobName, RunRequest request) {
        return Stages.forCallers(runs.trigger(jobName, request));
    }

    @Override
    public CompletableFuture<RunOutcome> run(String jobName, RunRequest request) {
        return runs.run(jobName, request);
    }

    @Override
    public CompletionStage<TriggerAnswer> triggerAgain(String jobName, String runId, String newRunId) {
        return Stages.forCallers(runs.triggerAgain(jobName, runId, newRunId));
    }

    @Override
    public CompletableFuture<RunOutcome> runAgain(String jobName, String runId, String newRunId) {
        return runs.runAgain(jobName, runId, newRunId);
    }

    @Override
    public CompletionStage<CancelAnswer> cancel(String jobName, CancelRequest request) {
        return Stages.forCallers(runs.cancel(jobName, request));
    }

    @Override
    public CompletionStage<BackfillAnswer> backfill(String jobName, BackfillRequest request) {
        return Stages.forCallers(runs.backfill(jobName, request));
    }

    @Override
    public CompletionStage<Void> stopBackfill(String jobName) {
        return Stages.forCallers(runs.stopBackfill(jobName));
    }

    /** Ends all waits, also of commands that were given in the name of others. The registry stays open. */
    @Override
    public void close() {
        runs.close();
        waits.close();
        end.run();
    }

    // ------------------------------------------------------------------ servers and items

    @Override
    public CompletionStage<Void> disableServer(String jobName, String ip) {
        return Stages.forCallers(disables.disableServer(jobName, ip));
    }

    @Override
    public CompletionStage<Void> enableServer(String jobName, String ip) {
        return Stages.forCallers(disables.enableServer(jobName, ip));
    }

    @Override
    public CompletionStage<Void> disableItem(String jobName, int item) {
        return Stages.forCallers(disables.disableItems(jobName, Set.of(item)).thenAccept(done -> {}));
    }

    @Override
    public CompletionStage<Void> enableItem(String jobName, int item) {
        return Stages.forCallers(disables.enableItems(jobName, Set.of(item)).thenAccept(done -> {}));
    }

    @Override
    public CompletionStage<DisableAnswer> disableItems(String jobName, Set<Integer> items) {
        return Stages.forCallers(disables.disableItems(jobName, items));
    }

    @Override
    public CompletionStage<DisableAnswer> enableItems(String jobName, Set<Integer> items) {
        return Stages.forCallers(disables.enableItems(jobName, items));
    }

    @Override
    public CompletionStage<Void> disable(String jobName) {
        return Stages.forCallers(disables.disable(jobName));
    }

    @Override
    public CompletionStage<Void> enable(String jobName) {
        return Stages.forCallers(disables.enable(jobName));
    }

    // ------------------------------------------------------------------ pauses and drains

    @Override
    public CompletionStage<PauseAnswer> pause(String jobName) {
        return Stages.forCallers(pauses.pause(jobName));
    }

    @Override
    public CompletionStage<PauseAnswer> resume(String jobName) {
        return Stages.forCallers(pauses.resume(jobName));
    }

    @Override
    public CompletionStage<PauseAnswer> pauseAll() {
        return Stages.forCallers(pauses.pauseAll());
    }

    @Override
    public CompletionStage<PauseAnswer> resumeAll() {
        return Stages.forCallers(pauses.resumeAll());
    }

    @Override
    public CompletionStage<DrainAnswer> drain(String jobName, String instance) {
        return Stages.forCallers(drains.drain(jobName, instance));
    }

    @Override
    public CompletionStage<DrainAnswer> undrain(String jobName, String instance) {
        return Stages.forCallers(drains.undrain(jobName, instance));
    }

    @Override
    public CompletionStage<SortedMap<String, DrainAnswer>> drainAll(String instance) {
        return Stages.forCallers(drains.drainAll(instance));
    }

    @Override
    public CompletionStage<SortedMap<String, DrainAnswer>> undrainAll(String instance) {
        return Stages.forCallers(drains.undrainAll(instance));
    }

    // ------------------------------------------------------------------ the registry

    @Override
    public CompletionStage<Boolean> suspendApp(String app) {
        return Stages.forCallers(apps.suspend(app));
    }

    @Override
    public CompletionStage<Boolean> resumeApp(String app) {
        return Stages.forCallers(apps.resume(app));
    }

    @Override
    public CompletionStage<Boolean> forgetApp(String app) {
        return Stages.forCallers(apps.forget(app));
    }

    @Override
    public CompletionStage<Boolean> confirmDataLoss() {
        return Stages.forCallers(losses.confirm());
    }

    @Override
    public CompletionStage<Boolean> raiseFencingTokens(long above) {
        return Stages.forCallers(losses.raiseTokens(above));
    }

    // ------------------------------------------------------------------ the job

    @Override
    public CompletionStage<JobDefinition> definition(String jobName) {
        return Stages.forCallers(definitions.definition(jobName));
    }

    @Override
    public CompletionStage<VersionedDefinition> versionedDefinition(String jobName) {
        return Stages.forCallers(definitions.versioned(jobName));
    }

    @Override
    public CompletionStage<JobDefinition> redefine(String jobName, UnaryOperator<JobDefinition> change) {
        return Stages.forCallers(definitions.redefine(jobName, change));
    }

    @Override
    public CompletionStage<VersionedDefinition> redefine(String jobName, String version, Map<String, ?> settings) {
        return Stages.forCallers(definitions.redefine(jobName, version, settings));
    }

    @Override
    public CompletionStage<JobDefinition> repair(JobDefinition definition) {
        return Stages.forCallers(definitions.repair(definition));
    }

    @Override
    public CompletionStage<UnreadableSettings> unreadableSettings(String jobName) {
        return Stages.forCallers(definitions.unreadable(jobName));
    }

    @Override
    public CompletionStage<VersionedDefinition> repair(String jobName, String version, Map<String, ?> settings) {
        return Stages.forCallers(definitions.repair(jobName, version, settings));
    }

    @Override
    public CompletionStage<VersionedDefinition> create(JobDefinition definition) {
        return Stages.forCallers(definitions.create(definition));
    }

    @Override
    public CompletionStage<VersionedDefinition> create(String jobName, Map<String, ?> settings) {
        return Stages.forCallers(definitions.create(jobName, settings));
    }

    @Override
    public CompletionStage<Void> reshard(String jobName) {
        return Stages.forCallers(wholeJobs.reshard(jobName));
    }

    @Override
    public CompletionStage<Void> remove(String jobName) {
        return Stages.forCallers(wholeJobs.remove(jobName));
    }
}
