package dev.elasticjob.admin;

import dev.elasticjob.admin.JobReport.DrainedBy;
import dev.elasticjob.admin.ServerReport.InstanceOnServer;
import dev.elasticjob.admin.ServerReport.JobOnServer;
import dev.elasticjob.admin.ServerReport.Part;
import dev.elasticjob.admin.ServerReport.State;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.JobSnapshot.InstanceNode;
import dev.elasticjob.coordination.view.JobSnapshot.ServerNode;
import dev.elasticjob.coordination.view.NamespaceReader.WithRecords;
import dev.elasticjob.coordination.view.OperatorDrain;
import dev.elasticjob.definition.text.LabelSelector;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes reports of servers and instances from jobs that were read with their members and records. Pure. */
final class ServerReports {
    private ServerReports() {}

    /** By address. */
    static List<ServerReport> of(List<WithRecords> jobs) {
        SortedMap<String, List<JobOnServer>> servers = new TreeMap<>();
        SortedMap<String, SortedMap<String, Parts>> instances = new TreeMap<>();
        for (WithRecords read : jobs) {
            List<InstanceNode> members = read.job().instances();
            LabelSelector runOn = read.job().runOn();
            Set<String> eligible =
                    read.job().eligible(runOn).stream().map(InstanceNode::id).collect(Collectors.toSet());
            SortedMap<String, ServerNode> disabled = new TreeMap<>();
            for (ServerNode server : read.job().servers()) {
                boolean dead = members.stream().noneMatch(one -> one.ip().equals(server.ip()));
                servers.computeIfAbsent(server.ip(), ip -> new ArrayList<>())
                        .add(new JobOnServer(read.job().jobName(), server.disabled(), dead));
                if (server.disabled()) {
                    disabled.put(server.ip(), server);
                }
            }
            members.forEach(one -> instances
                    .computeIfAbsent(one.ip(), ip -> new TreeMap<>())
                    .computeIfAbsent(one.id(), id -> new Parts(id, one.capacity()))
                    .add(read, one, new Others(eligible, disabled, runOn)));
        }
        List<ServerReport> reports = new ArrayList<>();
        servers.forEach((ip, known) -> reports.add(new ServerReport(
                ip,
                instances.getOrDefault(ip, new TreeMap<>()).values().stream()
                        .map(Parts::report)
                        .toList(),
                known)));
        return List.copyOf(reports);
    }

    /** One instance; empty if none of these jobs has it. */
    static Optional<InstanceOnServer> of(List<WithRecords> jobs, String id) {
        return of(jobs).stream()
                .flatMap(server -> server.instances().stream())
                .filter(instance -> instance.id().equals(id))
                .findFirst();
    }

    /**
     * What decides who takes part in a job.
     *
     * @param eligible the ids of the instances that may own items
     * @param disabled the servers on which the job is disabled, by address
     */
    private record Others(Set<String> eligible, Map<String, ServerNode> disabled, LabelSelector runOn) {}

    /** The parts of one instance, and what the records of its jobs say of its end. */
    private static final class Parts {
        private final String id;
        private final OptionalInt capacity;
        private final List<Part> parts = new ArrayList<>();
        /** Since when it gets nothing; empty of a part that takes part. */
        private final List<Instant> takenOut = new ArrayList<>();

        private final List<Instant> ends = new ArrayList<>();
        /** When others have begun what may have replaced a record of this instance. */
        private final List<Instant> replacements = new ArrayList<>();

        Parts(String id, OptionalInt capacity) {
            this.id = id;
            this.capacity = capacity;
        }

        void add(WithRecords read, InstanceNode instance, Others job) {
            Optional<ServerNode> disabledHere =
                    Optional.ofNullable(job.disabled().get(instance.ip()));
            Collection<ItemView> items = read.items().items().values();
            List<Integer> running =
                    items.stream().filter(this::runsHere).map(ItemView::item).toList();
            parts.add(new Part(
                    read.job().jobName(),
                    read.job()
                            .assignment()
                            .map(plan -> List.copyOf(plan.itemsOf(id)))
                            .orElse(List.of()),
                    running,
                    running.stream().mapToLong(read.job()::weightOf).sum(),
                    instance.drain().isPresent(),
                    instance.drain()
                            .flatMap(OperatorDrain::of)
                            .map(drain -> new DrainedBy(drain.since(), drain.actor(), drain.reason())),
                    disabledHere.isPresent(),
                    instance.mayMatch(job.runOn()),
                    job.eligible().stream().allMatch(id::equals),
                    read.job()
                                    .assignment()
                                    .map(Assignment::monitored)
                                    .orElseGet(() -> read.job().problem().isEmpty())
                            && items.stream().allMatch(ItemView::isReadable)));
            Stream.concat(
                            instance.drain().map(RegistryNode::modified).stream(),
                            disabledHere.map(ServerNode::node).map(RegistryNode::modified).stream())
                    .min(Instant::compareTo)
                    .ifPresent(takenOut::add);
            items.forEach(item -> remember(item.current()));
        }

        private boolean runsHere(ItemView item) {
            return item.children().running()
                    && item.current().state() == ItemState.RUNNING
                    && id.equals(item.current().instance());
        }

        private void remember(ItemRecord last) {
            if (id.equals(last.instance())) {
                Optional.ofNullable(last.finishedAt()).ifPresent(ends::add);
            } else {
                Optional.ofNullable(last.startedAt()).ifPresent(replacements::add);
            }
        }

        InstanceOnServer report() {
            var report = new InstanceOnServer(id, capacity, parts, Optional.empty());
            return report.state() == State.EMPTY ? new InstanceOnServer(id, capacity, parts, emptySince()) : report;
        }

        /** An execution elsewhere that has begun since may have replaced the record of a later end. */
        private Optional<Instant> emptySince() {
            return Stream.concat(takenOut.stream(), ends.stream())
                    .max(Instant::compareTo)
                    .filter(since -> replacements.stream().noneMatch(other -> other.isAfter(since)));
        }
    }
}
