package dev.elasticjob.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.AppAttention.AppFinding;
import dev.elasticjob.admin.AppWatch.Look;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.admin.app.PublishedApp.Condition;
import dev.elasticjob.admin.app.Suspension;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each state of an application of Kubernetes: what needs a person. */
class AppAttentionTest {
    private static final Instant AT = Instant.parse("2026-11-23T03:00:00Z");
    private static final Optional<Suspension> NONE = Optional.empty();
    private static final boolean ATTENDED = true;
    private static final boolean ALONE = false;
    private static final boolean SUSPENDED = true;
    private static final boolean STARTED = false;

    static Stream<Arguments> findings() {
        return Stream.of(
                row("all is well", app(ATTENDED, STARTED, NONE, ready(true, "Ready")), 3_600, ""),
                row("its jobs are introduced", app(ATTENDED, STARTED, NONE, ready(false, "Introducing")), 3_600, ""),
                row(
                        "its resource is wrong",
                        app(ATTENDED, STARTED, NONE, ready(false, "Invalid")),
                        0,
                        "APP_NOT_READY -: The application doesn't get the workers that it needs, Invalid: what is wrong"
                                + " - CORRECT_APP"),
                row(
                        "it is blocked for a moment",
                        app(ATTENDED, STARTED, NONE, ready(true, "Ready"), blocked("Unschedulable", "0/3 nodes")),
                        59,
                        ""),
                row(
                        "it is blocked",
                        app(
                                ATTENDED,
                                STARTED,
                                NONE,
                                ready(false, "Introducing"),
                                blocked("Unschedulable", "0/3 nodes")),
                        60,
                        "WORKERS_BLOCKED 03:00: Workers don't get to work, Unschedulable: 0/3 nodes - MAKE_ROOM"),
                row(
                        "its workers fail, and have written a log",
                        app(
                                ATTENDED,
                                STARTED,
                                NONE,
                                ready(true, "Ready"),
                                blocked(
                                        "StartFailed",
                                        "worker \"a\" ended (Error: exit code 1" + PublishedApp.LAST_LINES
                                                + "password=geheim). 3 starts in a row have failed")),
                        60,
                        "WORKERS_BLOCKED 03:00: Workers don't get to work, StartFailed: worker \"a\" ended (Error: exit"
                                + " code 1…) - READ_WORKER_LOG"),
                row(
                        "a worker ends again and again, and its log is not in brackets",
                        app(
                                ATTENDED,
                                STARTED,
                                NONE,
                                blocked(
                                        "CrashLoopBackOff",
                                        "pod \"a\" (pool b): exit code 1" + PublishedApp.LAST_LINES + "(geheim")),
                        60,
                        "WORKERS_BLOCKED 03:00: Workers don't get to work, CrashLoopBackOff: pod \"a\" (pool b): exit code"
                                + " 1… - READ_PREVIOUS_LOG"),
                row(
                        "Kubernetes has a reason that we don't know",
                        app(ATTENDED, STARTED, NONE, blocked("CreateContainerError", "")),
                        60,
                        "WORKERS_BLOCKED 03:00: Workers don't get to work, CreateContainerError - DESCRIBE_PODS"),
                row(
                        "wrong in one pool, blocked in another",
                        app(ATTENDED, STARTED, NONE, ready(false, "Invalid"), blocked("Queued", "a queue starts it")),
                        60,
                        "APP_NOT_READY -: The application doesn't get the workers that it needs, Invalid: what is wrong"
                                + " - CORRECT_APP | WORKERS_BLOCKED 03:00: Workers don't get to work, Queued: a queue"
                                + " starts it - WAIT_FOR_QUEUE"),
                row(
                        "no controller is there",
                        app(ALONE, STARTED, NONE, ready(false, "Invalid"), blocked("NoPod", "")),
                        3_600,
                        "APP_WITHOUT_CONTROLLER -: No controller looks after the application, so no worker is started for it"
                                + " - START_CONTROLLER"),
                row(
                        "suspended by an operator",
                        app(
                                ATTENDED,
                                STARTED,
                                Optional.of(new Suspension("mei", "the database moves", AT)),
                                ready(true, "Ready"),
                                blocked("Unschedulable", "")),
                        3_600,
                        ""),
                row(
                        "suspended by its resource, without a controller",
                        app(ALONE, SUSPENDED, NONE, blocked("Unschedulable", "")),
                        3_600,
                        ""),
                row(
                        "suspended, as its controller says",
                        app(ATTENDED, STARTED, NONE, ready(false, "Suspended"), blocked("Unschedulable", "")),
                        3_600,
                        ""));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("findings")
    void eachStateOfAnApplication(String state, AppReport app, long seconds, String expected) {
        assertThat(AppAttention.of(app, AT.plus(Duration.ofSeconds(seconds))).stream()
                        .map(AppAttentionTest::text)
                        .collect(Collectors.joining(" | ")))
                .isEqualTo(expected);
    }

    @Test
    void aLongMessageIsCut() {
        AppReport app = app(ATTENDED, STARTED, NONE, blocked("NotStarted", "😀".repeat(1_000)));

        String text = AppAttention.of(app, AT.plusSeconds(60)).get(0).fact().text();

        assertThat(text).hasSizeLessThan(500).endsWith("😀…");
    }

    @Test
    void whereNoControllerIsItIsAsOldAsTheFirstOfTheLooksThatFindIt() {
        ManualTime time = new ManualTime(AT);
        List<AppReport> apps = new ArrayList<>(List.of(app(ALONE, STARTED, NONE)));
        AppWatch watch = watch(apps, time);

        Look first = look(watch);
        time.advance(Duration.ofMinutes(5));
        Look later = look(watch);
        apps.set(0, app(ATTENDED, STARTED, NONE));
        Look attended = look(watch);

        assertThat(first.findings()).extracting(AppFinding::seen).containsExactly(Optional.of(AT));
        assertThat(later.findings()).extracting(AppFinding::seen).containsExactly(Optional.of(AT));
        assertThat(attended.findings()).isEmpty();
    }

    @Test
    void whileAnotherControllerTakesOverWhatTheFormerOneShowsCounts() {
        ManualTime time = new ManualTime(AT);
        List<AppReport> apps = new ArrayList<>(List.of(app(ATTENDED, STARTED, NONE, ready(false, "Invalid"))));
        AppWatch watch = watch(apps, time);

        look(watch);
        apps.set(0, app(ALONE, STARTED, NONE, ready(false, "Invalid")));
        time.advance(Duration.ofSeconds(59));
        Look handover = look(watch);
        time.advance(Duration.ofSeconds(1));
        Look alone = look(watch);

        assertThat(handover.findings()).extracting(AppFinding::kind).containsExactly(AppFinding.Kind.APP_NOT_READY);
        assertThat(handover.findings()).extracting(AppFinding::seen).containsExactly(Optional.of(AT));
        assertThat(alone.findings())
                .extracting(AppFinding::kind)
                .containsExactly(AppFinding.Kind.APP_WITHOUT_CONTROLLER);
    }

    private static AppWatch watch(List<AppReport> apps, ManualTime time) {
        return new AppWatch(() -> CompletableFuture.completedFuture(List.copyOf(apps)), time);
    }

    private static Look look(AppWatch watch) {
        return watch.look().toCompletableFuture().join();
    }

    @Test
    void whereTheyMayNotBeReadThatIsSaid() {
        AppWatch watch = new AppWatch(
                () -> CompletableFuture.failedFuture(new RegistryAccessDeniedException(
                        "/.apps", "No rights for \"/.apps\"", new IllegalStateException())),
                new ManualTime(AT));

        Look look = watch.look().toCompletableFuture().join();

        assertThat(look.findings()).isEmpty();
        assertThat(look.unread().orElse("read")).contains("/.apps");
    }

    private static Arguments row(String state, AppReport app, long seconds, String expected) {
        return Arguments.of(state, app, seconds, expected);
    }

    private static String text(AppFinding finding) {
        return "%s %s: %s - %s"
                .formatted(
                        finding.kind(),
                        finding.since()
                                .map(since -> since.toString().substring(11, 16))
                                .orElse("-"),
                        finding.fact(),
                        finding.remedy().code());
    }

    private static AppReport app(
            boolean attended, boolean suspend, Optional<Suspension> suspension, Condition... conditions) {
        return new AppReport(
                "jobs.shop",
                new PublishedApp("shop", "jobs", suspend, List.of(), List.of(conditions)),
                attended,
                AT,
                suspension);
    }

    private static Condition ready(boolean holds, String reason) {
        return new Condition("Ready", holds, reason, holds ? "" : "what is wrong", AT);
    }

    private static Condition blocked(String reason, String message) {
        return new Condition("WorkersBlocked", true, reason, message, AT);
    }
}
