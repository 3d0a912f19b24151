package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.state.LeaveMark;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.Software;
import dev.elasticjob.coordination.view.Members.Member;
import dev.elasticjob.coordination.view.Members.Origin;
import dev.elasticjob.coordination.view.Members.Shown;
import dev.elasticjob.registry.RegistryMoment;
import dev.elasticjob.registry.RegistryNode;
import java.time.Instant;
import java.util.Optional;

/**
 * An instance that has left in good order, or is about to, and may come back: its items wait for its successor. The rules are
 * those of "Awaiting a successor" in {@code docs/internals/protocol-placement.md}.
 *
 * @param was the instance, as it was when it left
 * @param left the transaction of its mark: who has joined later has a higher {@code czxid}
 * @param markVersion the version of its mark
 * @param since when its mark was written, by the registry's clock
 * @param until when its items move; empty while it is still there
 */
public record Leaver(Member was, long left, int markVersion, Instant since, Optional<Instant> until) {
    /**
     * Reads a mark.
     *
     * @param node of an instance of this id, if there is one
     * @return empty if it isn't the mark of an instance that may come back
     */
    static Optional<Leaver> of(String id, RegistryNode drain, Optional<RegistryNode> node) {
        return LeaveMark.of(drain).map(mark -> {
            boolean lives = node.filter(own -> own.czxid() == mark.instance()).isPresent();
            Instant end = mark.stopping() ? drain.modified() : drain.modified().plus(mark.awaited());
            return new Leaver(
                    new Member(
                            id,
                            NodeCodec.serverIp(id, mark.shown()),
                            mark.instance(),
                            new Origin(0, Software.OURS, Shown.of(mark.shown()))),
                    drain.czxid(),
                    drain.version(),
                    drain.modified(),
                    lives ? Optional.empty() : Optional.of(end));
        });
    }

    /**
     * Until when the successor of the instance of this id is awaited, if it has left and somebody waits: its items wait with it.
     *
     * @param job whose marks were read
     */
    public static Optional<Leaver> awaited(JobSnapshot job, String id, Instant registryNow) {
        return job.view().instances().contains(id)
                ? Optional.empty()
                : job.node(job.tree().drain(id))
                        .flatMap(mark -> of(id, mark, Optional.empty()))
                        .filter(leaver -> !leaver.isOver(registryNow));
    }

    /** Whether an item of the plan in force waits for a successor. */
    public static boolean isAnyAwaited(JobSnapshot job, Instant registryNow) {
        return job.view().draining().stream()
                .filter(id -> awaited(job, id, registryNow).isPresent())
                .anyMatch(id -> job.assignment()
                        .filter(plan -> plan.owners().containsValue(id))
                        .isPresent());
    }

    public String id() {
        return was.id();
    }

    /** Whether it is still there, and ends its work. */
    public boolean isStopping() {
        return until.isEmpty();
    }

    /** Whether nobody waits for its successor any more. One that left in the future did so by a wrong clock. */
    public boolean isOver(Instant registryNow) {
        return until.filter(end -> !end.isAfter(registryNow) || new RegistryMoment(registryNow).isAhead(since))
                .isPresent();
    }

    /**
     * Whether an instance may be its successor: one of the same id, or one that has started since on the same server with the
     * same labels and the same version.
     */
    public boolean isFollowedBy(Member member) {
        return member.czxid() > left
                && (member.id().equals(id()) || (member.serverIp().equals(was.serverIp()) && isLike(member)));
    }

    /** A process of another kind on the same server has other labels. */
    private boolean isLike(Member member) {
        Optional<Shown> shown = member.origin().shown();
        Optional<Shown> before = was.origin().shown();
        return shown.map(Shown::labels).equals(before.map(Shown::labels))
                && shown.flatMap(Shown::version).equals(before.flatMap(Shown::version));
    }
}
