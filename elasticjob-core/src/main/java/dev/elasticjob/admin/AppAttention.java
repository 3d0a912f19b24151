package dev.elasticjob.admin;

import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.admin.app.PublishedApp.Condition;
import dev.elasticjob.admin.explain.Fact;
import dev.elasticjob.admin.explain.Remedy;
import dev.elasticjob.admin.explain.Sentence;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides what of an application of Kubernetes needs a person, from what its controller shows: why it gets no workers, or why
 * these don't get to work. What is suspended, in the registry or in its resource, is so on purpose, and has no finding. Pure.
 */
public final class AppAttention {
    /** For so long, workers may be on their way: a node comes, or an image is pulled. */
    public static final Duration ON_THEIR_WAY = Duration.ofMinutes(1);

    private static final int MOST_OF_PROBLEM = 400;

    private AppAttention() {}

    /**
     * Something in one application that needs a person. Immutable.
     *
     * @param app its id: the cluster's namespace and its name, with a dot between them
     * @param since since when workers have been blocked; empty for the other kinds, of which nothing shows a time: an
     *     application that isn't ready may have been so for another reason before
     * @param seen if nothing shows a time, the time when this process first saw it; otherwise empty
     * @param fact what was found, without what a worker has written in its log
     * @param remedy what ends it
     */
    public record AppFinding(
            String app, Kind kind, Optional<Instant> since, Optional<Instant> seen, Sentence fact, Sentence remedy) {
        /** The worst first, of one kind the longest lasting first, then by application. */
        public static final Comparator<AppFinding> WORST_FIRST = Comparator.comparing(AppFinding::kind)
                .thenComparing(AppFinding::begin)
                .thenComparing(AppFinding::app);

        /** When it began, as far as anybody knows; the last of all times if nobody does. */
        public Instant begin() {
            return since.or(this::seen).orElse(Instant.MAX);
        }

        static FirstSeen<AppFinding, Kind> seenBy(Clock clock) {
            return new FirstSeen<>(clock, AppFinding::kind, AppFinding::since, AppFinding::firstSeen);
        }

        private AppFinding firstSeen(Instant at) {
            return new AppFinding(app, kind, since, Optional.of(at), fact, remedy);
        }

        /** The kinds of findings, worst first. */
        public enum Kind {
            /** No worker is started, because no controller looks after the application. */
            APP_WITHOUT_CONTROLLER(Finding.Kind.NO_INSTANCE),
            /** The resource is wrong, so the application, or one of its pools, gets no worker. */
            APP_NOT_READY(Finding.Kind.NO_INSTANCE),
            /** Workers that were asked for don't get to work. */
            WORKERS_BLOCKED(Finding.Kind.NOT_BEGUN);

            private final Finding.Kind asBadAs;

            Kind(Finding.Kind asBadAs) {
                this.asBadAs = asBadAs;
            }

            /** What of a job is as bad, for lists that show both. */
            public Finding.Kind asBadAs() {
                return asBadAs;
            }
        }
    }

    /** @param now by a clock that agrees with that of the controller */
    public static List<AppFinding> of(AppReport report, Instant now) {
        Optional<Condition> notReady =
                condition(report, "Ready").filter(ready -> !ready.holds()).filter(ready -> !isUnderWay(ready));
        if (isSuspended(report)) {
            return List.of();
        }
        if (!report.attended()) {
            return List.of(new AppFinding(
                    report.id(),
                    AppFinding.Kind.APP_WITHOUT_CONTROLLER,
                    Optional.empty(),
                    Optional.empty(),
                    Fact.APP_WITHOUT_CONTROLLER.of(),
                    Remedy.START_CONTROLLER.of()));
        }
        Optional<Condition> blocked =
                condition(report, "WorkersBlocked").filter(Condition::holds).filter(known -> lasts(known, now));
        return Stream.concat(
                        notReady.map(ready -> finding(report, AppFinding.Kind.APP_NOT_READY, ready)).stream(),
                        blocked.map(known -> finding(report, AppFinding.Kind.WORKERS_BLOCKED, known)).stream())
                .toList();
    }

    private static boolean isSuspended(AppReport report) {
        return report.suspension().isPresent()
                || report.app().suspend()
                || condition(report, "Ready")
                        .filter(ready -> !ready.holds() && ready.reason().equals("Suspended"))
                        .isPresent();
    }

    /** If the first worker doesn't come, it is blocked. */
    private static boolean isUnderWay(Condition ready) {
        return ready.reason().equals("Introducing");
    }

    private static boolean lasts(Condition blocked, Instant now) {
        return blocked.since() == null || !now.isBefore(blocked.since().plus(ON_THEIR_WAY));
    }

    private static Optional<Condition> condition(AppReport report, String type) {
        return report.app().conditions().stream()
                .filter(condition -> condition.type().equals(type))
                .findFirst();
    }

    private static AppFinding finding(AppReport report, AppFinding.Kind kind, Condition condition) {
        String problem = withoutLog(condition.message());
        boolean blocked = kind == AppFinding.Kind.WORKERS_BLOCKED;
        return new AppFinding(
                report.id(),
                kind,
                blocked ? Optional.ofNullable(condition.since()) : Optional.empty(),
                Optional.empty(),
                (blocked ? Fact.WORKERS_BLOCKED : Fact.APP_NOT_READY)
                        .of("reason", condition.reason(), "problem", problem),
                (blocked ? remedy(condition.reason()) : Remedy.CORRECT_APP)
                        .of(
                                "namespace",
                                report.app().namespace(),
                                "app",
                                report.app().name()));
    }

    private static Remedy remedy(String reason) {
        return switch (reason) {
            case "StartFailed" -> Remedy.READ_WORKER_LOG;
            case "Unschedulable" -> Remedy.MAKE_ROOM;
            case "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull" -> Remedy.CORRECT_IMAGE;
            case "CrashLoopBackOff" -> Remedy.READ_PREVIOUS_LOG;
            case "NoPod", "Refused" -> Remedy.ALLOW_WORKERS;
            case "NameTaken" -> Remedy.FREE_NAME;
            case "NoMatch" -> Remedy.CORRECT_LABELS;
            case "NoPlace" -> Remedy.END_LOST_PODS;
            case "Queued" -> Remedy.WAIT_FOR_QUEUE;
            default -> Remedy.DESCRIBE_PODS;
        };
    }

    /** Its last lines may contain what parameters contain: the application's page shows them to those who may see these. */
    private static String withoutLog(String message) {
        int log = message.indexOf(PublishedApp.LAST_LINES);
        int end = log < 0 ? message.length() : log;
        if (end > MOST_OF_PROBLEM) {
            end = message.offsetByCodePoints(0, message.codePointCount(0, MOST_OF_PROBLEM));
        }
        return end < message.length() ? cut(message.substring(0, end)) : message;
    }

    /** The log is in brackets if a worker is named before it. */
    private static String cut(String problem) {
        return problem + (problem.lastIndexOf('(') > problem.lastIndexOf(')') ? "…)" : "…");
    }
}
