package dev.elasticjob.kubernetes.cluster;

import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.kubernetes.plan.Reason;
import dev.elasticjob.kubernetes.plan.Worker.Phase;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the state of a pod says of its worker. Pure. */
final class SeenPod {
    private static final Set<String> ON_THE_WAY = Set.of("ContainerCreating", "PodInitializing");
    private static final int MOST_CHARACTERS = 1_000;

    private SeenPod() {}

    static boolean isOver(Pod pod) {
        return pod.getStatus() != null
                && ("Succeeded".equals(pod.getStatus().getPhase())
                        || "Failed".equals(pod.getStatus().getPhase()));
    }

    /** When its first container started. */
    static Optional<Instant> started(Pod pod) {
        return states(pod.getStatus())
                .flatMap(state -> Stream.of(
                        state.getRunning() == null ? null : state.getRunning().getStartedAt(),
                        state.getTerminated() == null
                                ? null
                                : state.getTerminated().getStartedAt()))
                .flatMap(time -> SeenWorkers.time(time).stream())
                .min(Instant::compareTo);
    }

    /** When its last container ended; empty while one runs. */
    static Optional<Instant> ended(Pod pod) {
        return isOver(pod)
                ? states(pod.getStatus())
                        .map(ContainerState::getTerminated)
                        .filter(Objects::nonNull)
                        .flatMap(end -> SeenWorkers.time(end.getFinishedAt()).stream())
                        .max(Instant::compareTo)
                : Optional.empty();
    }

    /** Why it doesn't start, or why it has failed. */
    static Optional<Reason> reason(Pod pod, Phase phase) {
        return switch (phase) {
            case PENDING -> unscheduled(pod.getStatus()).or(() -> waiting(pod.getStatus()));
            case RUNNING, SUCCEEDED -> Optional.empty();
            case FAILED -> evicted(pod.getStatus()).or(() -> terminated(pod.getStatus()));
        };
    }

    private static Optional<Reason> unscheduled(@Nullable PodStatus status) {
        return status == null
                ? Optional.empty()
                : status.getConditions().stream()
                        .filter(condition ->
                                "PodScheduled".equals(condition.getType()) && "False".equals(condition.getStatus()))
                        .map(condition -> reason(condition.getReason(), "Unschedulable", condition.getMessage()))
                        .findFirst();
    }

    private static Optional<Reason> waiting(@Nullable PodStatus status) {
        return states(status)
                .map(ContainerState::getWaiting)
                .filter(Objects::nonNull)
                .filter(waiting -> waiting.getReason() != null && !ON_THE_WAY.contains(waiting.getReason()))
                .map(SeenPod::reason)
                .findFirst();
    }

    private static Reason reason(ContainerStateWaiting waiting) {
        return reason(waiting.getReason(), "Waiting", waiting.getMessage());
    }

    private static Optional<Reason> evicted(@Nullable PodStatus status) {
        return status == null || status.getReason() == null
                ? Optional.empty()
                : Optional.of(reason(status.getReason(), "Failed", status.getMessage()));
    }

    private static Optional<Reason> terminated(@Nullable PodStatus status) {
        return states(status)
                .map(ContainerState::getTerminated)
                .filter(Objects::nonNull)
                .filter(end -> end.getExitCode() == null || end.getExitCode() != 0)
                .map(SeenPod::reason)
                .findFirst();
    }

    private static Reason reason(ContainerStateTerminated end) {
        String log = endOf(Objects.requireNonNullElse(end.getMessage(), "").strip());
        return new Reason(
                Objects.requireNonNullElse(end.getReason(), "Error"),
                "exit code %s%s".formatted(end.getExitCode(), log.isEmpty() ? "" : PublishedApp.LAST_LINES + log));
    }

    private static Stream<ContainerState> states(@Nullable PodStatus status) {
        return status == null
                ? Stream.empty()
                : Stream.concat(status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream())
                        .map(ContainerStatus::getState)
                        .filter(Objects::nonNull);
    }

    private static Reason reason(@Nullable String code, String otherwise, @Nullable String text) {
        String all = Objects.requireNonNullElse(text, "Kubernetes gives no reason");
        return new Reason(Objects.requireNonNullElse(code, otherwise), endOf(all));
    }

    /** Of a log, the end says why. */
    private static String endOf(String text) {
        int from = text.length() - MOST_CHARACTERS;
        if (from <= 0) {
            return text;
        }
        return "…" + text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
    }
}
