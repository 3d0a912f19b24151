package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.Members;
import dev.elasticjob.coordination.view.Pause;
import dev.elasticjob.coordination.view.Pauses;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What operators' pauses mean for a plan: the union of the pauses of the job, of its namespace, and of all its servers.
 * Pure.
 *
 * @param ofServers the pause by disabled servers, which may be over; empty if there is none
 * @param byNode the union of the pauses of the job and of its namespace
 */
record PausePlanner(Optional<Pause> ofServers, Pauses byNode, Pauses all) {
    static PausePlanner of(Assignment inForce, Instant planned, PlanBasis basis, Instant registryNow) {
        Optional<Pause> servers = ofServers(inForce, planned, basis, registryNow);
        return new PausePlanner(servers, Pauses.of(basis.pauses()), together(basis, servers));
    }

    private static Pauses together(PlanBasis basis, Optional<Pause> servers) {
        List<Pause> every = new ArrayList<>(basis.pauses());
        servers.ifPresent(every::add);
        return Pauses.of(every);
    }

    /**
     * Whether the assignment doesn't follow the pauses: it has owners in one, or has none without one, or has not applied
     * one that is over.
     */
    static boolean isBehind(Assignment inForce, PlanBasis basis) {
        Instant paused = inForce.pausedFrom();
        // Whether the servers' pause is over is found with the next change of the members.
        Pauses known = together(basis, Optional.ofNullable(paused).map(from -> new Pause(from, null)));
        if (!known.endedAfter(inForce.since()).isEmpty()) {
            return true;
        }
        if (!inForce.owners().isEmpty()) {
            return basis.isPaused();
        }
        Members members = basis.members();
        boolean disabled = members.areAllDisabled() && members.eligible().isEmpty();
        return basis.allowsOwners() || (paused == null && disabled);
    }

    /** The beginning of the pause that lasts. */
    Optional<Instant> since() {
        return all.since();
    }

    /**
     * Applies the pauses that are over, and what the servers alone have of the one that lasts: once they are enabled,
     * nothing shows when they were disabled. While they are disabled, its beginning is remembered.
     */
    Assignment applied(Assignment inForce) {
        Assignment next = inForce;
        for (Pause over : all.endedAfter(inForce.since())) {
            next = next.resumed(over.from(), until(over));
        }
        boolean disabled = ofServers.filter(pause -> pause.until() == null).isPresent();
        if (disabled) {
            return next.withPausedFrom(all.since().orElseThrow());
        }
        Optional<Instant> begun = byNode.since();
        Optional<Instant> before =
                all.since().filter(since -> begun.filter(since::isBefore).isPresent());
        return (before.isPresent() ? next.resumed(before.get(), begun.orElseThrow()) : next).withPausedFrom(null);
    }

    private static Instant until(Pause over) {
        return Optional.ofNullable(over.until()).orElseThrow();
    }

    // ------------------------------------------------------------------ disabled servers

    /**
     * The pause by disabled servers: the one that the assignment remembers, or one that begins. It is over if an instance
     * may own items again, or operators have enabled a server. The server may have been disabled after the registry's
     * time as known here, which lags behind after a late answer.
     */
    private static Optional<Pause> ofServers(
            Assignment inForce, Instant planned, PlanBasis basis, Instant registryNow) {
        Members members = basis.members();
        Instant from = inForce.pausedFrom();
        if (from == null) {
            Instant disabled = members.disabledFrom(registryNow);
            return isPausedByServers(inForce, planned, basis, registryNow)
                    ? Optional.of(
                            new Pause(Assignment.mayBeClaimed(disabled, registryNow) ? disabled : registryNow, null))
                    : Optional.empty();
        }
        boolean over = !members.eligible().isEmpty() || members.isAnyEnabledSince(from);
        return Optional.of(new Pause(from, over ? enabledFrom(members, from, registryNow) : null));
    }

    private static Instant enabledFrom(Members members, Instant paused, Instant registryNow) {
        Instant enabled = members.enabledFrom(paused, registryNow);
        Instant until = enabled.isBefore(registryNow) ? enabled : registryNow;
        return until.isBefore(paused) ? paused : until;
    }

    /**
     * Whether operators want no instance to own items by disabling servers, whatever else they have paused, as opposed to
     * the eligible instances being dead, gone or leaving. Operators want this if they have disabled all servers, or if the
     * leader would make the plan in force again had they disabled none since: servers of instances that are long gone may
     * still be listed as enabled. A server that was enabled since that plan was meant to continue, though its instance is
     * gone. An instance that joined since may have been the last one, though it is gone too. One that is not awaited any
     * more is gone as well.
     */
    private static boolean isPausedByServers(
            Assignment inForce, Instant planned, PlanBasis basis, Instant registryNow) {
        Members members = basis.members();
        if (!Candidates.of(members, inForce.owners(), registryNow).isEmpty()) {
            return false;
        }
        boolean allOfThePlan = !inForce.owners().isEmpty()
                && !members.isAnyEnabledSince(planned)
                && !members.joined().isAfter(planned)
                && basis.beforeDisabling(planned, inForce, registryNow).digest().equals(inForce.plannedFrom());
        return members.areAllDisabled() || allOfThePlan;
    }
}
