package dev.elasticjob.console.api;

import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.admin.app.Suspension;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** What the API says of applications of Kubernetes. */
final class AppBodies {
    private AppBodies() {}

    record Apps(List<App> apps) {
        static Apps of(List<AppReport> reports) {
            return new Apps(reports.stream().map(App::of).toList());
        }
    }

    /**
     * One application in numbers.
     *
     * @param attended whether a controller looks after it now
     * @param published when that last had something new to show
     * @param suspend whether its resource says that it is suspended
     * @param suspension by an operator
     * @param state what people should know first
     * @param reason the word of the condition that says so; empty if none does
     * @param registered how many workers are registered
     * @param failed how many have failed, and are still shown by the cluster
     */
    record App(
            String id,
            String name,
            String namespace,
            boolean attended,
            Instant published,
            boolean suspend,
            Optional<Suspension> suspension,
            State state,
            String reason,
            int open,
            int running,
            int need,
            int registered,
            int failed,
            Optional<Instant> nextFiring) {
        static App of(AppReport report) {
            PublishedApp app = report.app();
            return new App(
                    report.id(),
                    app.name(),
                    app.namespace(),
                    report.attended(),
                    report.published(),
                    app.suspend(),
                    report.suspension(),
                    State.of(report),
                    State.condition(report).map(PublishedApp.Condition::reason).orElse(""),
                    sum(app, PublishedApp.Pool::open),
                    sum(app, PublishedApp.Pool::running),
                    sum(app, PublishedApp.Pool::need),
                    sum(app, PublishedApp.Pool::registered),
                    sum(app, pool -> (int) pool.workers().stream()
                            .filter(worker -> worker.phase().equals("FAILED"))
                            .count()),
                    app.pools().stream()
                            .map(PublishedApp.Pool::nextFiring)
                            .filter(Objects::nonNull)
                            .min(Comparator.naturalOrder()));
        }

        private static int sum(PublishedApp app, ToIntFunction<PublishedApp.Pool> figure) {
            return app.pools().stream().mapToInt(figure).sum();
        }
    }

    /** The first of these that holds. */
    enum State {
        /** No controller looks after it. */
        NOT_ATTENDED,
        /** Its resource or its registry can't be used, so nothing is started. */
        NOT_READY,
        SUSPENDED,
        /** Workers that were asked for don't get to work. */
        BLOCKED,
        /** The first worker of its template hasn't registered yet. */
        INTRODUCING,
        RUNNING,
        /** Work waits for workers. */
        STARTING,
        IDLE;

        static State of(AppReport report) {
            if (!report.attended()) {
                return NOT_ATTENDED;
            }
            if (report.suspension().isPresent()) {
                return SUSPENDED;
            }
            String ready = ready(report)
                    .filter(condition -> !condition.holds())
                    .map(PublishedApp.Condition::reason)
                    .orElse("");
            if (ready.equals("Suspended")) {
                return SUSPENDED;
            }
            if (!ready.isEmpty() && !ready.equals("Introducing")) {
                return NOT_READY;
            }
            if (blocked(report).isPresent()) {
                return BLOCKED;
            }
            if (!ready.isEmpty()) {
                return INTRODUCING;
            }
            if (App.sum(report.app(), PublishedApp.Pool::running) > 0) {
                return RUNNING;
            }
            return App.sum(report.app(), PublishedApp.Pool::open) > 0 ? STARTING : IDLE;
        }

        /** The one that says why it is in this state. */
        private static Optional<PublishedApp.Condition> condition(AppReport report) {
            return switch (of(report)) {
                case NOT_READY -> ready(report);
                case BLOCKED -> blocked(report);
                case NOT_ATTENDED, SUSPENDED, INTRODUCING, RUNNING, STARTING, IDLE -> Optional.empty();
            };
        }

        private static Optional<PublishedApp.Condition> ready(AppReport report) {
            return ofType(report, "Ready");
        }

        private static Optional<PublishedApp.Condition> blocked(AppReport report) {
            return ofType(report, "WorkersBlocked").filter(PublishedApp.Condition::holds);
        }

        private static Optional<PublishedApp.Condition> ofType(AppReport report, String type) {
            return report.app().conditions().stream()
                    .filter(condition -> condition.type().equals(type))
                    .findFirst();
        }
    }

    /** One application with its pools and their workers. */
    record WholeApp(App app, List<Condition> conditions, List<Pool> pools) {
        static WholeApp of(AppReport report, Parameters seen) {
            return new WholeApp(
                    App.of(report),
                    report.app().conditions().stream()
                            .map(condition -> Condition.of(condition, seen))
                            .toList(),
                    report.app().pools().stream()
                            .map(pool -> Pool.of(pool, seen))
                            .toList());
        }
    }

    record Condition(String type, boolean holds, String reason, String message, Optional<Instant> since) {
        static Condition of(PublishedApp.Condition condition, Parameters seen) {
            return new Condition(
                    condition.type(),
                    condition.holds(),
                    condition.reason(),
                    seen.endOfLog(condition.message()),
                    Optional.ofNullable(condition.since()));
        }
    }

    /** @param leftOut how many more workers there are than are listed */
    record Pool(
            String name,
            int capacity,
            int baseWorkers,
            int maxWorkers,
            int open,
            int running,
            int need,
            int registered,
            Optional<Instant> nextFiring,
            List<String> jobs,
            List<Worker> workers,
            int leftOut) {
        static Pool of(PublishedApp.Pool pool, Parameters seen) {
            return new Pool(
                    pool.name(),
                    pool.capacity(),
                    pool.baseWorkers(),
                    pool.maxWorkers(),
                    pool.open(),
                    pool.running(),
                    pool.need(),
                    pool.registered(),
                    Optional.ofNullable(pool.nextFiring()),
                    pool.jobs(),
                    pool.workers().stream()
                            .map(worker -> Worker.of(worker, seen))
                            .toList(),
                    pool.leftOut());
        }
    }

    /** @param text why it doesn't start or has failed, with the end of its log */
    record Worker(
            String name,
            String phase,
            String pod,
            String node,
            String instance,
            Optional<Instant> since,
            String reason,
            String text) {
        static Worker of(PublishedApp.Worker worker, Parameters seen) {
            return new Worker(
                    worker.name(),
                    worker.phase(),
                    worker.pod(),
                    worker.node(),
                    worker.instance(),
                    Optional.ofNullable(worker.since()),
                    worker.reason(),
                    seen.endOfLog(worker.text()));
        }
    }
}
