package dev.elasticjob.admin.explain;

import dev.elasticjob.coordination.claim.ItemObstacles;
import dev.elasticjob.coordination.claim.ItemObstacles.Work;
import dev.elasticjob.coordination.leader.ForeseenPlan;
import dev.elasticjob.coordination.leader.Resharding;
import dev.elasticjob.coordination.run.ForeseenRun;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.DemandReader.DemandView;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistrySession;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an instance that came now would start, whether or not there is one. There are no rules here: the leader's planner
 * makes the plan, its tasks say what they would ask for, and the owners' planner decides which items start. Pure.
 *
 * @param open the items that somebody would start; and those that somebody has to record as ended, before anything else comes
 *     due in a job with a fixed delay
 * @param running the items that are claimed
 * @param openSince since when the oldest due work of the open items has waited, of those of which it is known: since it came
 *     due, also while its item still ran what was before; with {@code catchUp=EACH}, since the oldest firing that will be made
 *     up for
 * @param nextDue when the next of the others starts by itself; empty if none does, or nobody knows when
 */
public record OpenWork(
        NavigableSet<Integer> open,
        NavigableSet<Integer> running,
        Optional<Instant> openSince,
        Optional<Instant> nextDue) {
    public OpenWork {
        open = Collections.unmodifiableNavigableSet(new TreeSet<>(open));
        running = Collections.unmodifiableNavigableSet(new TreeSet<>(running));
    }

    /**
     * @param session whose timeout the instances are assumed to share
     * @param now the time by which firings are due
     * @param registryNow the registry's time as far as it is known here
     */
    public static OpenWork of(DemandView job, RegistrySession session, Instant now, Instant registryNow) {
        NavigableSet<Integer> running = new TreeSet<>();
        job.leader().items().values().stream()
                .filter(item -> item.children().running())
                .forEach(item -> running.add(item.item()));
        boolean unreadable = job.firings().problem().isPresent();
        return job.job()
                .definition()
                .filter(settings -> !unreadable)
                .flatMap(settings -> ForeseenPlan.of(job.leader(), settings, registryNow)
                        .map(plan -> new Looking(
                                        job, settings, plan, owner(job, settings, plan, session), now, registryNow)
                                .work(running)))
                .orElseGet(() -> new OpenWork(new TreeSet<>(), running, Optional.empty(), Optional.empty()));
    }

    /** Of the instance that would come, which owns everything. */
    private static Ownership owner(DemandView job, JobDefinition definition, Resharding plan, RegistrySession session) {
        Assignment next = plan.next();
        return new Ownership(
                session,
                ForeseenPlan.COMING,
                job.job().epoch(),
                next,
                definition,
                job.job().view().definitionVersion(),
                next.itemsOf(ForeseenPlan.COMING),
                true,
                Ownership.pauseOf(job.job().view(), definition));
    }

    private record Looking(
            DemandView job,
            JobDefinition definition,
            Resharding plan,
            Ownership owner,
            Instant now,
            Instant registryNow) {
        OpenWork work(NavigableSet<Integer> running) {
            Assignment next = plan.next();
            Collection<ItemView> items =
                    job.leader().items().headMap(next.total()).values();
            ForeseenRun run = ForeseenRun.of(
                    job.leader().job(),
                    definition,
                    next,
                    items,
                    items.stream().filter(this::isEnding).map(ItemView::item).collect(Collectors.toSet()),
                    registryNow);
            NavigableSet<Integer> open = new TreeSet<>();
            Stream.Builder<Instant> since = Stream.builder();
            Stream.Builder<Instant> times = Stream.builder();
            run.next().ifPresent(times);
            for (int number : next.owners().keySet()) {
                ItemView item = item(number);
                ItemView asked = run.now().map(item::askedFor).orElse(item);
                ItemObstacles obstacles = obstacles(asked);
                if (obstacles.wouldStart() || run.unrecorded().contains(number)) {
                    open.add(number);
                    obstacles.work().flatMap(work -> since(item, work, run)).ifPresent(since);
                } else {
                    obstacles.startsAt().ifPresent(times);
                }
            }
            return new OpenWork(
                    open,
                    running,
                    since.build().min(Comparator.naturalOrder()),
                    times.build().min(Comparator.naturalOrder()));
        }

        private Optional<Instant> since(ItemView item, Work work, ForeseenRun foreseen) {
            if (work instanceof Work.Due due) {
                return Optional.of(due.since());
            }
            if (work instanceof Work.Interrupted interrupted) {
                return interrupted.recorded();
            }
            return item.waiting().isPresent() ? requested(item.item()) : foreseen.since();
        }

        /** When its node was made: with the first of the requests that wait, unless an earlier one has begun since. */
        private Optional<Instant> requested(int item) {
            RegistryAnswer answer = job.job().view().answer();
            String path = job.job().tree().trigger(item);
            return answer.covers(path) ? answer.node(path).map(RegistryNode::created) : Optional.empty();
        }

        private boolean isEnding(ItemView item) {
            return !item.isIdle()
                    && ((item.isOrphan() && !definition.failover())
                            || obstacles(item).isEndedByThat());
        }

        private ItemObstacles obstacles(ItemView item) {
            var moment =
                    new ItemObstacles.Moment(now, registryNow, 1, job.firings().value());
            return ItemObstacles.of(owner, item, moment);
        }

        private ItemView item(int number) {
            ItemView known = job.leader().items().get(number);
            return known == null
                    ? ItemView.createdAs(
                            number, Objects.requireNonNull(plan.newItems().get(number)), registryNow)
                    : known;
        }
    }
}
