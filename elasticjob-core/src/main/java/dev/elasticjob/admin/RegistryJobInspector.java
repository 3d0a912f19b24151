package dev.elasticjob.admin;

import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.JobReport.InstanceReport;
import dev.elasticjob.admin.ServerReport.InstanceOnServer;
import dev.elasticjob.admin.app.AppNodes;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.admin.command.CommandHistory;
import dev.elasticjob.admin.command.CommandHistory.Entry;
import dev.elasticjob.admin.command.PausedBy;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.admin.explain.ItemConditions;
import dev.elasticjob.admin.explain.ItemConditions.Around;
import dev.elasticjob.admin.explain.ItemNodes;
import dev.elasticjob.admin.explain.OpenWork;
import dev.elasticjob.admin.explain.ReshardPreview;
import dev.elasticjob.admin.explain.Standstill;
import dev.elasticjob.admin.explain.WhatIf;
import dev.elasticjob.coordination.progress.ReportedProgress;
import dev.elasticjob.coordination.session.Batch;
import dev.elasticjob.coordination.session.Incarnation;
import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.DelayedFiring;
import dev.elasticjob.coordination.state.FailureStreak;
import dev.elasticjob.coordination.view.DemandReader;
import dev.elasticjob.coordination.view.DemandReader.DemandView;
import dev.elasticjob.coordination.view.InstanceLoads;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobSnapshot;
import dev.elasticjob.coordination.view.JobViewReader;
import dev.elasticjob.coordination.view.JobViewReader.ItemsView;
import dev.elasticjob.coordination.view.LackingRoom;
import dev.elasticjob.coordination.view.LoadReader;
import dev.elasticjob.coordination.view.NamespaceReader;
import dev.elasticjob.coordination.view.NamespaceReader.WithRecords;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.text.NamePatterns;
import dev.elasticjob.job.Failures;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.time.TaskTimer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Combines the registry's state with the state of this instance. */
public final class RegistryJobInspector implements JobInspector {
    private static final int MOST_DUE_TIMES = 1_000;
    private static final int NODES_PER_READ = 1_000;
    private static final RegistrySession NO_SESSION = new RegistrySession(0, Duration.ofSeconds(20));

    private final Registry registry;
    private final Clock clock;
    private final Supplier<Instant> registryNow;
    private final Supplier<SortedMap<String, Here>> here;
    private final NamespaceReader reader;
    private final Sweep<Attention.Checked> sweep;
    private final FirstSeen<Attention.Finding, Attention.Finding.Kind> seen;

    /**
     * @param clock the time by which firings are due
     * @param timer paces the sweep over all jobs
     * @param registryNow the registry's time, as far as this process knows it
     * @param here the current state of this engine's jobs, by name
     */
    public RegistryJobInspector(
            Registry registry,
            Clock clock,
            TaskTimer timer,
            Supplier<Instant> registryNow,
            Supplier<SortedMap<String, Here>> here) {
        this.registry = registry;
        this.clock = clock;
        this.registryNow = registryNow;
        this.here = here;
        this.reader = new NamespaceReader(registry);
        this.seen = Attention.Finding.seenBy(clock);
        this.sweep = new Sweep<>(new Checking(), timer, clock);
    }

    /**
     * The state of a job on this instance.
     *
     * @param instance its id within the job; empty before it has registered
     * @param freeThreads how many more of the job's executions could start here at once
     * @param clockAhead how far this machine's clock is ahead of the registry's; negative if it is behind
     * @param lackingRoom the items that wait for this instance's capacity, with why
     */
    public record Here(
            JobState state,
            Optional<String> instance,
            int freeThreads,
            Duration clockAhead,
            Map<Integer, LackingRoom> lackingRoom) {
        public Here {
            lackingRoom = Map.copyOf(lackingRoom);
        }

        public Here(JobState state, Optional<String> instance, int freeThreads) {
            this(state, instance, freeThreads, Duration.ZERO, Map.of());
        }
    }

    // ------------------------------------------------------------------ jobs

    @Override
    public CompletionStage<List<JobReport>> jobs() {
        return Stages.forCallers(overviews(List.copyOf(here.get().keySet())));
    }

    /** In requests of one page each. */
    private CompletionStage<List<JobReport>> overviews(List<String> names) {
        List<CompletableFuture<List<JobSnapshot>>> pages = pages(names).stream()
                .map(page -> reader.jobs(page).thenCompose(reader::withReasons).toCompletableFuture())
                .toList();
        return Stages.all(pages)
                .thenApply(done -> pages.stream()
                        .flatMap(page -> page.join().stream())
                        .map(job -> reports(job).overview())
                        .toList());
    }

    private static List<List<String>> pages(List<String> names) {
        return Batch.groups(JobPage.SIZE, names);
    }

    @Override
    public CompletionStage<JobPage> page(JobPage.Query query) {
        return Stages.forCallers(
                query.isSwept() ? swept().thenApply(known -> SweptJobs.page(known, query)) : named(query));
    }

    @Override
    public CompletionStage<JobPage.Names> matching(JobPage.Query query) {
        return Stages.forCallers(
                query.isSwept()
                        ? swept().thenApply(known -> SweptJobs.names(known, query))
                        : reader.names().thenApply(all -> new JobPage.Names(matching(all, query), Optional.empty())));
    }

    private static NavigableSet<String> matching(NavigableSet<String> all, JobPage.Query query) {
        NavigableSet<String> names = new TreeSet<>(all);
        names.removeIf(name -> !query.matches(name));
        return names;
    }

    private CompletionStage<JobPage> named(JobPage.Query query) {
        return reader.names().thenCompose(all -> {
            NavigableSet<String> names = matching(all, query);
            List<String> rest = List.copyOf(names.tailSet(query.after(), false));
            List<String> page = rest.subList(0, Math.min(JobPage.SIZE, rest.size()));
            Optional<String> next =
                    rest.size() > page.size() ? Optional.of(page.get(page.size() - 1)) : Optional.empty();
            return overviews(page).thenApply(jobs -> new JobPage(jobs, names.size(), next, Optional.empty()));
        });
    }

    @Override
    public CompletionStage<Swept<Attention.Checked>> swept() {
        return Stages.forCallers(sweep.look());
    }

    /** What the sweep reads. */
    private final class Checking implements Sweep.Source<Attention.Checked> {
        @Override
        public CompletionStage<NavigableSet<String>> names() {
            return reader.names().thenApply(names -> {
                seen.retain(names);
                return names;
            });
        }

        @Override
        public int partSize() {
            return MOST_DETAILS;
        }

        @Override
        public CompletionStage<Sweep.Part<Attention.Checked>> read(List<String> names) {
            return details(names).thenApply(jobs -> {
                SortedMap<String, Attention.Checked> checked = new TreeMap<>();
                jobs.forEach(job -> checked.put(job.name(), Attention.Checked.of(job, seen)));
                long items = jobs.stream().mapToLong(job -> job.items().size()).sum();
                return new Sweep.Part<>(checked, 1 + jobs.size() / JobPage.SIZE + items / JobViewReader.ITEMS_PER_READ);
            });
        }
    }

    @Override
    public CompletionStage<List<ServerReport>> servers() {
        return Stages.forCallers(
                reader.names().thenCompose(this::withRecordsOfMembers).thenApply(ServerReports::of));
    }

    @Override
    public CompletionStage<Optional<InstanceOnServer>> instance(String id) {
        if (!NamespaceReader.isName(id)) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return Stages.forCallers(reader.names()
                .thenCompose(names -> Stages.inOrder(
                        Batch.groups(NODES_PER_READ, List.copyOf(names)),
                        part -> registry.read(RegistryRead.allData(part.stream()
                                        .map(job -> new JobTree(job).instance(id))
                                        .toList()))
                                .thenApply(answer -> part.stream()
                                        .filter(job -> answer.node(new JobTree(job).instance(id))
                                                .isPresent())
                                        .toList())))
                .thenCompose(parts -> withRecordsOfMembers(
                        parts.stream().flatMap(List::stream).toList()))
                .thenApply(jobs -> ServerReports.of(jobs, id)));
    }

    /** The records only of jobs that have instances. */
    private CompletionStage<List<WithRecords>> withRecordsOfMembers(Collection<String> names) {
        return Stages.inOrder(
                        pages(List.copyOf(names)),
                        page -> reader.jobs(page)
                                .thenCompose(reader::withMembers)
                                .thenCompose(this::withRecords))
                .thenApply(pages -> pages.stream().flatMap(List::stream).toList());
    }

    private CompletionStage<List<WithRecords>> withRecords(List<JobSnapshot> jobs) {
        Map<Boolean, List<JobSnapshot>> byMembers = jobs.stream()
                .collect(
                        Collectors.partitioningBy(job -> !job.view().instances().isEmpty()));
        return reader.withRecords(byMembers.getOrDefault(true, List.of()))
                .thenApply(read -> Stream.concat(
                                read.stream(),
                                byMembers.getOrDefault(false, List.of()).stream()
                                        .map(WithRecords::without))
                        .sorted(Comparator.comparing(one -> one.job().jobName()))
                        .toList());
    }

    @Override
    public CompletionStage<NavigableSet<String>> names() {
        return Stages.forCallers(reader.names());
    }

    @Override
    public CompletionStage<List<JobReport>> details(Collection<String> names) {
        if (names.size() > MOST_DETAILS) {
            return CompletableFuture.failedFuture(new IllegalArgumentException(
                    "Expected at most %d names of jobs, but there were %d".formatted(MOST_DETAILS, names.size())));
        }
        return Stages.forCallers(Stages.inOrder(pages(List.copyOf(names)), reader::jobs)
                .thenCompose(pages ->
                        reader.withReasons(pages.stream().flatMap(List::stream).toList()))
                .thenCompose(reader::withRecords)
                .thenApply(jobs -> jobs.stream()
                        .map(read -> reports(read.job()).withItems(read.items()))
                        .toList()));
    }

    @Override
    public CompletionStage<SortedMap<String, Set<Integer>>> awaiting(String instance) {
        return Stages.forCallers(everything().thenApply(jobs -> {
            SortedMap<String, Set<Integer>> waiting = new TreeMap<>();
            jobs.forEach(job -> waiting.put(job.name(), job.awaiting(instance)));
            waiting.values().removeIf(Set::isEmpty);
            return Collections.unmodifiableSortedMap(waiting);
        }));
    }

    /** All jobs of the namespace with their items, one request after the other. */
    private CompletionStage<List<JobReport>> everything() {
        return reader.names()
                .thenCompose(names -> Stages.inOrder(Batch.groups(MOST_DETAILS, List.copyOf(names)), this::details))
                .thenApply(parts -> parts.stream().flatMap(List::stream).toList());
    }

    @Override
    public CompletionStage<List<Finding>> attention() {
        return Stages.forCallers(everything()
                .thenCombine(
                        dataLoss(),
                        (jobs, loss) -> Stream.concat(
                                        loss.stream(),
                                        Attention.Checked.together(jobs.stream()
                                                        .map(job -> Attention.Checked.of(job, seen))
                                                        .toList())
                                                .stream())
                                .sorted(Finding.WORST_FIRST)
                                .toList()));
    }

    @Override
    public CompletionStage<List<AppReport>> apps() {
        return Stages.forCallers(new AppNodes(registry).all());
    }

    @Override
    public CompletionStage<Optional<AppReport>> app(String id) {
        return Stages.forCallers(new AppNodes(registry).find(id));
    }

    @Override
    public CompletionStage<Optional<Finding>> dataLoss() {
        return registryData()
                .thenApply(RegistryDataReport::loss)
                .exceptionallyCompose(error -> Stages.unwrap(error) instanceof RegistryAccessDeniedException
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : CompletableFuture.failedFuture(Stages.unwrap(error)));
    }

    @Override
    public CompletionStage<RegistryDataReport> registryData() {
        return Stages.forCallers(registry.read(RegistryRead.allData(JobTree.registry()))
                .thenApply(answer -> {
                    Optional<Incarnation> data = answer.node(JobTree.registry()).flatMap(Incarnation::read);
                    return new RegistryDataReport(
                            data.flatMap(Incarnation::unconfirmed).map(Attention::of),
                            data.map(there -> OptionalLong.of(there.base())).orElse(OptionalLong.empty()));
                }));
    }

    @Override
    public CompletionStage<Optional<PausedBy>> namespacePause() {
        return Stages.forCallers(
                registry.read(RegistryRead.allData(JobTree.namespacePaused())).thenApply(PausedBy::ofNamespace));
    }

    @Override
    public CompletionStage<Optional<JobReport>> job(String jobName) {
        return Stages.forCallers(of(
                jobName,
                read -> reader.withReasons(List.of(read)).thenCompose(found -> {
                    JobSnapshot job = found.get(0);
                    NavigableSet<Integer> known = job.items();
                    JobViewReader items = new JobViewReader(job.tree(), registry);
                    // If what it opens can't be read, the rest is shown nevertheless.
                    return job.assignment()
                            .map(plan -> items.itemsWithLocks(known, plan)
                                    .exceptionallyCompose(unreadable -> items.itemsWithLocks(known)))
                            .orElseGet(() -> items.itemsWithLocks(known))
                            .thenCompose(all -> progress(job.tree(), all)
                                    .thenApply(progress -> reports(job).withItems(all, progress)));
                })));
    }

    /** One request more, only while something executes. If it may not be read, it isn't known. */
    private CompletionStage<ReportedProgress> progress(JobTree tree, ItemsView items) {
        Set<String> executing =
                items.locks().values().stream().map(RegistryNode::text).collect(Collectors.toSet());
        if (executing.isEmpty()) {
            return CompletableFuture.completedFuture(ReportedProgress.UNKNOWN);
        }
        return registry.read(ReportedProgress.reads(tree, executing))
                .thenApply(answer -> ReportedProgress.of(tree, executing, answer))
                .exceptionallyCompose(error -> Stages.unwrap(error) instanceof RegistryAccessDeniedException
                        ? CompletableFuture.completedFuture(ReportedProgress.UNKNOWN)
                        : CompletableFuture.failedFuture(Stages.unwrap(error)));
    }

    private JobReports reports(JobSnapshot job) {
        return new JobReports(job, Optional.ofNullable(here.get().get(job.jobName())), viewpoint(job.jobName()));
    }

    @Override
    public CompletionStage<Optional<List<InstanceReport>>> instances(String jobName) {
        return Stages.forCallers(of(
                jobName,
                job -> reader.withMembers(List.of(job))
                        .thenApply(read -> reports(read.get(0)).instances())));
    }

    /** Reads a job; empty if there is none of that name. */
    private <T> CompletionStage<Optional<T>> of(String jobName, Function<JobSnapshot, CompletionStage<T>> answer) {
        return reader.job(jobName)
                .thenCompose(job -> job.map(found -> answer.apply(found).thenApply(Optional::of))
                        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty())));
    }

    // ------------------------------------------------------------------ time

    @Override
    public CompletionStage<Optional<DueTimes>> dueTimes(String jobName, int count) {
        if (count < 1 || count > MOST_DUE_TIMES) {
            return CompletableFuture.failedFuture(new IllegalArgumentException(
                    "Expected a count of due times from 1 to %d, but it was %d".formatted(MOST_DUE_TIMES, count)));
        }
        return Stages.forCallers(of(
                jobName,
                job -> CompletableFuture.completedFuture(job.assignment()
                        .map(plan -> plan.schedule().delay().isPresent()
                                ? nextAfterEnd(job, plan)
                                : DueTimes.of(plan.schedule(), clock.instant(), count))
                        .orElseGet(() -> new DueTimes(List.of(), List.of())))));
    }

    /** Those after it follow from its end. */
    private static DueTimes nextAfterEnd(JobSnapshot job, Assignment plan) {
        Optional<DelayedFiring> last = DelayedFiring.of(job.view().delay());
        return new DueTimes(DelayedFiring.next(last, plan).stream().toList(), List.of());
    }

    // ------------------------------------------------------------------ demand

    @Override
    public CompletionStage<Optional<JobDemand>> demand(String jobName) {
        return demands(List.of(jobName)).thenApply(found -> found.stream().findFirst());
    }

    @Override
    public CompletionStage<List<JobDemand>> demands() {
        return Stages.forCallers(reader.names().thenCompose(this::demandsOf));
    }

    @Override
    public CompletionStage<List<JobDemand>> demands(Collection<String> names) {
        return Stages.forCallers(
                demandsOf(names.stream().filter(NamespaceReader::isName).toList()));
    }

    @Override
    public CompletionStage<JobDemand.Total> demandOf(NamePatterns jobs) {
        return Stages.forCallers(reader.names()
                .thenCompose(
                        names -> demandsOf(names.stream().filter(jobs::matches).toList()))
                .thenApply(demands -> JobDemand.Total.of(demands, clock.instant())));
    }

    private CompletionStage<List<JobDemand>> demandsOf(Collection<String> names) {
        return new DemandReader(registry)
                .jobs(names)
                .thenApply(jobs -> jobs.stream().map(this::demand).toList());
    }

    /** One that can't be told, for whatever reason, keeps nobody from the others. */
    private JobDemand demand(DemandView read) {
        RegistrySession session = registry.session().orElse(NO_SESSION);
        try {
            OpenWork work = OpenWork.of(read, session, clock.instant(), registryNow.get());
            return JobDemand.of(read.job(), work, read.job().problem().or(read.firings()::problem));
        } catch (RuntimeException e) {
            return JobDemand.unknown(read.job().jobName(), Failures.text(e));
        }
    }

    // ------------------------------------------------------------------ why

    @Override
    public CompletionStage<Optional<Explanation>> explain(String jobName, int item) {
        return Stages.forCallers(reader.job(jobName)
                .thenCompose(job -> job.filter(found -> mayHave(found, item))
                        .map(found ->
                                reader.withMembers(List.of(found)).thenCompose(read -> explained(read.get(0), item)))
                        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()))));
    }

    private CompletionStage<Optional<Explanation>> explained(JobSnapshot job, int item) {
        JobTree tree = job.tree();
        return failingParents(job)
                .thenCombine(unfinished(job), (failing, unfinished) -> (Function<Optional<Standstill>, Around>)
                        standstill -> new Around(standstill, failing, unfinished))
                .thenCompose(aroundIt -> new JobViewReader(tree, registry)
                        .items(List.of(item))
                        .thenApply(read -> Optional.ofNullable(read.items().get(item)))
                        .thenCompose(view -> registry.read(reads(tree, item, view))
                                .thenApply(answer -> {
                                    Around around = aroundIt.apply(
                                            LastDisabling.standstill(job.withMembers(answer), registryNow.get()));
                                    return Optional.of(ItemConditions.explain(
                                            job,
                                            item,
                                            ItemNodes.of(tree, item, view, answer),
                                            viewpoint(job.jobName()),
                                            around));
                                })));
    }

    private static List<RegistryRead> reads(JobTree tree, int item, Optional<ItemView> view) {
        List<RegistryRead> reads = new ArrayList<>(ItemNodes.reads(tree, item, view));
        reads.add(RegistryRead.data(tree.commands()));
        return reads;
    }

    /** The items that have not ended the last firing of a job with a fixed delay: no request for any other job. */
    private CompletionStage<NavigableSet<Integer>> unfinished(JobSnapshot job) {
        Optional<DelayedFiring> last = DelayedFiring.of(job.view().delay())
                .filter(firing -> firing.ended().isEmpty())
                .filter(firing -> job.assignment()
                        .flatMap(plan -> plan.schedule().delay())
                        .isPresent());
        boolean failover = job.definition().filter(JobDefinition::failover).isPresent();
        if (last.isEmpty()) {
            return CompletableFuture.completedFuture(new TreeSet<>());
        }
        return new JobViewReader(job.tree(), registry)
                .items(job.items())
                .thenApply(read -> read.items().values().stream()
                        .filter(item -> item.isBusyWith(last.get().runId(), failover))
                        .map(ItemView::item)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    /** Of the jobs whose success the job waits for, those that fail: no request for jobs that wait for none. */
    private CompletionStage<SortedMap<String, FailureStreak>> failingParents(JobSnapshot job) {
        SortedMap<String, FailureStreak> failing = new TreeMap<>();
        List<String> parents = JobReports.needsSuccessOf(job);
        if (parents.isEmpty()) {
            return CompletableFuture.completedFuture(failing);
        }
        return reader.jobs(parents).thenCompose(reader::withRecords).thenApply(read -> {
            read.forEach(parent -> parent.items().items().values().stream()
                    .map(item -> item.current().failures().shown(item.current().failure()))
                    .filter(streak -> streak.since() != null)
                    .min(Comparator.comparing(
                            streak -> Optional.ofNullable(streak.since()).orElse(Instant.MAX)))
                    .ifPresent(streak -> failing.put(parent.job().jobName(), streak)));
            return failing;
        });
    }

    /** An item of the settings, or of the assignment in force; any, if neither can be read. */
    private static boolean mayHave(JobSnapshot job, int item) {
        int total = job.definition().map(JobDefinition::shardingTotalCount).orElse(Integer.MAX_VALUE);
        boolean owned =
                job.assignment().filter(plan -> plan.owners().containsKey(item)).isPresent();
        return item >= 0 && (item < total || owned);
    }

    private ItemConditions.Viewpoint viewpoint(String jobName) {
        Optional<ItemConditions.Local> local = Optional.ofNullable(here.get().get(jobName))
                .flatMap(job -> job.instance()
                        .map(id -> new ItemConditions.Local(
                                id, inactive(job.state()), job.freeThreads(), job.clockAhead(), job.lackingRoom())));
        return new ItemConditions.Viewpoint(
                registry.session().orElse(NO_SESSION), clock.instant(), registryNow.get(), local);
    }

    /** Of a disabled server, the registry tells more. */
    private static Optional<String> inactive(JobState state) {
        return switch (state) {
            // What holds it back then is among the reasons.
            case ACTIVE, DISABLED, UNMATCHED -> Optional.empty();
            default -> Optional.of(state.name());
        };
    }

    @Override
    public CompletionStage<Optional<ReshardPreview>> preview(String jobName, WhatIf question) {
        return Stages.forCallers(of(jobName, job -> preview(job, question)));
    }

    private CompletionStage<ReshardPreview> preview(JobSnapshot job, WhatIf question) {
        CompletionStage<InstanceLoads> loads = ReshardPreview.needsLoads(job, question)
                ? new LoadReader(registry)
                        .read()
                        .exceptionallyCompose(error -> Stages.unwrap(error) instanceof RegistryAccessDeniedException
                                ? CompletableFuture.completedFuture(InstanceLoads.NONE)
                                : CompletableFuture.failedFuture(Stages.unwrap(error)))
                : CompletableFuture.completedFuture(InstanceLoads.NONE);
        CompletionStage<Map<Integer, Duration>> durations = ReshardPreview.needsDurations(job, question)
                ? durations(job)
                : CompletableFuture.completedFuture(Map.of());
        return reader.withMembers(List.of(job))
                .thenCompose(read -> loads.thenCombine(
                        durations,
                        (carried, known) ->
                                ReshardPreview.of(read.get(0), question, carried, known, registryNow.get())));
    }

    private CompletionStage<Map<Integer, Duration>> durations(JobSnapshot job) {
        return new JobViewReader(job.tree(), registry)
                .items(job.items())
                .thenApply(read -> ItemView.durations(read.items().values()));
    }

    @Override
    public CompletionStage<Optional<List<Entry>>> commands(String jobName) {
        return Stages.forCallers(of(
                jobName,
                job -> registry.read(RegistryRead.allData(job.tree().commands()))
                        .thenApply(answer -> answer.node(job.tree().commands())
                                .map(CommandHistory::read)
                                .orElse(List.of()))));
    }

    @Override
    public CompletionStage<Optional<String>> dump(String jobName) {
        return dump(jobName, TreeText.Parameters.SHOWN);
    }

    @Override
    public CompletionStage<Optional<String>> dumpWithoutParameters(String jobName) {
        return dump(jobName, TreeText.Parameters.MASKED);
    }

    private CompletionStage<Optional<String>> dump(String jobName, TreeText.Parameters parameters) {
        return Stages.forCallers(of(
                jobName,
                job -> reader.withDescendants(List.of(job.tree().root()))
                        .thenCompose(paths -> registry.read(RegistryRead.allData(paths))
                                .thenApply(answer -> TreeText.of(job.tree(), paths, answer, parameters)))));
    }
}
