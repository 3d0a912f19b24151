package dev.elasticjob.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.AppWatch;
import dev.elasticjob.admin.Attention.Checked;
import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.GroupWatch;
import dev.elasticjob.admin.JobDemand;
import dev.elasticjob.admin.JobInspector;
import dev.elasticjob.admin.JobInspector.DueTimes;
import dev.elasticjob.admin.JobPage;
import dev.elasticjob.admin.JobReport;
import dev.elasticjob.admin.JobReport.DrainedBy;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.admin.RegistryDataReport;
import dev.elasticjob.admin.ServerReport;
import dev.elasticjob.admin.ServerReport.InstanceOnServer;
import dev.elasticjob.admin.ServerReport.JobOnServer;
import dev.elasticjob.admin.ServerReport.Part;
import dev.elasticjob.admin.Swept;
import dev.elasticjob.admin.app.AppReport;
import dev.elasticjob.admin.app.PublishedApp;
import dev.elasticjob.admin.command.CommandHistory.Entry;
import dev.elasticjob.admin.command.PausedBy;
import dev.elasticjob.admin.explain.Explanation;
import dev.elasticjob.admin.explain.Fact;
import dev.elasticjob.admin.explain.Remedy;
import dev.elasticjob.admin.explain.ReshardPreview;
import dev.elasticjob.admin.explain.WhatIf;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.OpenFiring;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.codec.SettingChange;
import dev.elasticjob.definition.schedule.ScheduleKind;
import dev.elasticjob.definition.text.NamePatterns;
import dev.elasticjob.job.ShardingContext.Requester;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ElasticJobEndpointWebTest {
    private static final JobReport ORDERS = new JobReport(
            "orders",
            Optional.of(JobType.SIMPLE),
            Optional.of(new JobReport.ScheduleReport(
                    ScheduleKind.CRON, "0/5 * * * * ?", Optional.of("0/5 * * * * ?"), "UTC")),
            Optional.of(Instant.parse("2026-11-21T10:00:05Z")),
            Optional.empty(),
            JobStatus.READY,
            Optional.of(JobState.ACTIVE),
            Optional.of("10.0.0.1@-@7"),
            Optional.empty(),
            4,
            false,
            List.of("10.0.0.1@-@7"),
            List.of(new JobReport.ItemReport(
                    0,
                    Optional.of("10.0.0.1@-@7"),
                    true,
                    Optional.of(new JobReport.Lock(
                            "10.0.0.1@-@7", Instant.parse("2026-11-21T10:00:00.009Z"), 77, true, Optional.empty())),
                    false,
                    false,
                    false,
                    Optional.empty(),
                    List.of(new JobReport.WaitingRun(List.of("year-end"), "", "bob", "", "")),
                    new JobReport.Execution(
                            ItemState.RUNNING,
                            Optional.of(Instant.parse("2026-11-21T10:00:00Z")),
                            Optional.of("10.0.0.1@-@7"),
                            Optional.of("month-end"),
                            Optional.of("2026-10"),
                            Optional.of(new Requester("alice", "closing")),
                            1,
                            0,
                            Optional.of(Instant.parse("2026-11-21T10:00:00.010Z")),
                            Optional.empty(),
                            Optional.empty(),
                            Optional.of("cancelled by alice"),
                            Optional.empty()),
                    Optional.of("line 1200"),
                    Optional.empty(),
                    Instant.parse("2026-11-21T10:00:00.010Z"),
                    Optional.empty(),
                    Optional.of(new JobReport.Progress(
                            1_200, 5_000, "reading lines", Instant.parse("2026-11-21T10:00:05Z"))),
                    Optional.of(new JobReport.Overweight(5, 4, true)),
                    Optional.empty(),
                    Optional.empty())),
            List.of(new JobReport.FiringReport(
                    "orders@2026-11-21T10:00:00Z",
                    Optional.of(Instant.parse("2026-11-21T10:00:00Z")),
                    OpenFiring.Phase.ITEMS,
                    Instant.parse("2026-11-21T10:00:01Z"),
                    "0-1",
                    "0",
                    Optional.empty(),
                    1,
                    Optional.empty(),
                    false)),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.of("The node \"/orders/config\" can't be read."),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty());

    @Test
    void showsAllJobsWithoutTheirItems() throws Exception {
        HttpResponse<String> response = get(Answering.class, "");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response)).isEqualTo(json("""
                {"jobs": [{
                  "name": "orders",
                  "type": "SIMPLE",
                  "schedule": {
                    "kind": "CRON", "text": "0/5 * * * * ?", "cron": "0/5 * * * * ?", "timeZone": "UTC"
                  },
                  "nextDueTime": "2026-11-21T10:00:05Z",
                  "status": "READY",
                  "state": "ACTIVE",
                  "instance": "10.0.0.1@-@7",
                  "leader": null,
                  "epoch": 4,
                  "reshardingNecessary": false,
                  "instances": ["10.0.0.1@-@7"],
                  "problem": "The node \\"/orders/config\\" can't be read."
                }]}
                """));
    }

    @Test
    void showsWhoWouldOwnWhichItems() throws Exception {
        HttpResponse<String> response =
                get(Answering.class, "/orders/preview?without=10.0.0.1@-@7&more=1&total=2&strategy=STICKY");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response)).isEqualTo(json("""
                {
                  "strategy": "STICKY",
                  "total": 2,
                  "instances": [{
                    "instance": "10.0.0.1@-@7",
                    "change": "LEAVES",
                    "eligible": false,
                    "before": [0],
                    "after": []
                  }],
                  "moved": [0],
                  "assigned": [],
                  "unowned": [],
                  "removed": []
                }
                """));
        assertThat(get(Answering.class, "/nothing/preview").statusCode()).isEqualTo(404);
        assertThat(get(Answering.class, "/orders/preview?total=0").statusCode()).isEqualTo(400);
        assertThat(get(Answering.class, "/orders/preview?strategy=byRegion").statusCode())
                .isEqualTo(409);
    }

    @Test
    void showsTheLastCommandsOnAJob() throws Exception {
        HttpResponse<String> response = get(Answering.class, "/orders/commands");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response)).isEqualTo(json("""
                {"commands": [{
                  "at": "1970-01-01T00:00:00Z",
                  "actor": "alice",
                  "reason": "INC-7",
                  "command": "pause",
                  "before": "is not paused",
                  "outcome": "paused",
                  "settings": [{"setting": "cron", "before": "0 0 3 * * ?", "after": "0 0 4 * * ?"}]
                }]}
                """));
        assertThat(get(Answering.class, "/unknown/commands").statusCode()).isEqualTo(404);
    }

    @Test
    void showsOneJobWithItsItemsAndTheirRecords() throws Exception {
        HttpResponse<String> response = get(Answering.class, "/orders");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response)).containsAllEntriesOf(json("""
                {"items": [{
                  "item": 0,
                  "owner": "10.0.0.1@-@7",
                  "running": true,
                  "lock": {"instance": "10.0.0.1@-@7", "since": "2026-11-21T10:00:00.009Z", "token": 77, "stuck": true,
                           "waits": null},
                  "disabled": false,
                  "misfired": false,
                  "waitsForFailover": false,
                  "pauseEnds": null,
                  "waitingRuns": [{"runIds": ["year-end"], "parameter": "", "requester": "bob", "repeats": "", "dropped": ""}],
                  "record": {
                    "state": "RUNNING",
                    "scheduledAt": "2026-11-21T10:00:00Z",
                    "instance": "10.0.0.1@-@7",
                    "runId": "month-end",
                    "runParameter": "2026-10",
                    "requester": {"actor": "alice", "reason": "closing"},
                    "attempt": 1,
                    "crashes": 0,
                    "startedAt": "2026-11-21T10:00:00.010Z",
                    "finishedAt": null,
                    "failure": null,
                    "cancelled": "cancelled by alice"
                  },
                  "checkpoint": "line 1200",
                  "problem": null,
                  "progress": {
                    "done": 1200,
                    "total": 5000,
                    "text": "reading lines",
                    "written": "2026-11-21T10:00:05Z"
                  }
                }],
                "firings": [{
                  "runId": "orders@2026-11-21T10:00:00Z",
                  "scheduledAt": "2026-11-21T10:00:00Z",
                  "phase": "ITEMS",
                  "since": "2026-11-21T10:00:01Z",
                  "items": "0-1",
                  "unfinished": "0",
                  "instance": null,
                  "attempt": 1,
                  "refused": null
                }]}
                """));
    }

    @Test
    void answersQuestionsAboutAnyJobOfTheNamespace() throws Exception {
        try (ConfigurableApplicationContext context = run(Answering.class)) {
            assertThat(json(get(context, "?scope=namespace&name=ord&status=no_instance&after=a")))
                    .containsEntry("names", 61)
                    .containsEntry("next", "ordNO_INSTANCEa")
                    .containsEntry("swept", json("""
                            {"jobs": 500, "of": 2000, "complete": false, "oldest": "1970-01-01T00:00:00Z"}
                            """));
            assertThat(json(get(context, "?scope=servers"))).isEqualTo(json("""
                    {"servers": [{"server": "10.0.0.1", "instances": [
                        {"id": "10.0.0.1@-@7", "state": "LEAVING", "items": 0, "running": 1, "used": 2, "capacity": 8,
                          "drainedBy": {"since": "1970-01-01T00:00:00Z", "actor": "mei", "reason": "kernel"},
                          "emptySince": null,
                          "jobs": [{"job": "orders", "items": [], "running": [3], "draining": true,
                            "drainedBy": {"since": "1970-01-01T00:00:00Z", "actor": "mei", "reason": "kernel"},
                            "disabled": false, "unmatched": true, "alone": true, "recorded": true}]}],
                      "disabledJobs": 1, "deadJobs": 1,
                      "jobs": [{"job": "bills", "disabled": true, "dead": true},
                        {"job": "orders", "disabled": false, "dead": false}]}]}
                    """));
            assertThat(json(get(context, "?scope=attention"))).isEqualTo(json("""
                    {"attention": [{"job": "orders", "kind": "FAILED", "items": [3], "since": "1970-01-01T00:00:00Z",
                      "fact": "It has failed: no stock",
                      "remedy": "Mend the cause. It ends with the next execution that completes"}],
                     "apps": [{"app": "jobs.shop", "kind": "APP_NOT_READY", "since": null, "seen": "1970-01-01T00:00:00Z",
                      "fact": "The application doesn't get the workers that it needs, Invalid: no container",
                      "remedy": "Correct what the message names: kubectl edit eapp -n jobs shop"}]}
                    """));
            assertThat(json(get(context, "?scope=demand&jobs=o*,x"))).isEqualTo(json("""
                    {"jobs": 1, "unknown": 0, "open": 2, "running": 1, "weight": 3, "oldestOpenSeconds": 90, "nextDueSeconds": 7}
                    """));
            assertThat(json(get(context, "?scope=demand&jobs=x"))).containsEntry("jobs", 0);
            assertThat(json(get(context, "/orders/instances"))).isEqualTo(json("""
                    {"instances": [{"id": "10.0.0.1@-@7", "server": "10.0.0.1", "since": "1970-01-01T00:00:00Z",
                      "software": "of ours", "version": "1.2.0", "labels": {"disk": "ssd", "zone": "a"},
                      "capacity": 8, "unmatched": true, "leader": true, "draining": false, "serverDisabled": false, "items": [0]}]}
                    """));
            assertThat(json(get(context, "/orders/due-times?limit=2"))).isEqualTo(json("""
                    {"dueTimes": ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"], "leftOut": []}
                    """));
            assertThat(json(get(context, "/orders/tree"))).isEqualTo(json("""
                    {"nodes": ["/orders  v0", "/orders/config  v1"]}
                    """));
            assertThat(json(get(context, "/orders/explain/0"))).isEqualTo(json("""
                    {"job": "orders", "item": 0, "verdict": "WAITS", "owner": null, "conditions": [{
                      "reason": "NOT_DUE", "certainty": "HOLDS", "fact": "The item is not due before 1970-01-01T00:00:00Z", "node": "/orders/sharding/0",
                      "version": 3, "since": null, "until": "1970-01-01T00:00:00Z", "remedy": "Trigger the job to run it now"}]}
                    """));
        }
    }

    @Test
    void whatCannotBeUnderstoodIsABadRequestAndWhatIsNotThereIsNotFound() throws Exception {
        try (ConfigurableApplicationContext context = run(Answering.class)) {
            assertThat(get(context, "?scope=cluster").statusCode()).isEqualTo(400);
            assertThat(get(context, "?scope=namespace&status=fine").body()).contains("NO_INSTANCE");
            assertThat(get(context, "?name=ord").statusCode()).isEqualTo(400);
            assertThat(get(context, "/orders/due-times?limit=2000").statusCode())
                    .isEqualTo(400);
            assertThat(get(context, "/orders/explain/first").statusCode()).isEqualTo(400);
            assertThat(get(context, "/orders/explain/7").statusCode()).isEqualTo(404);
            assertThat(get(context, "/unknown/instances").statusCode()).isEqualTo(404);
            assertThat(get(context, "/orders/nothing").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void jobThatIsNotThereIsNotFound() throws Exception {
        assertThat(get(Answering.class, "/unknown").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/unknown                       | 404 | no job \"unknown\"",
                "/unknown/instances             | 404 | no job \"unknown\"",
                "/unknown/due-times             | 404 | no job \"unknown\"",
                "/unknown/commands              | 404 | no job \"unknown\"",
                "/unknown/preview               | 404 | no job \"unknown\"",
                "/unknown/tree                  | 404 | no job \"unknown\"",
                "/unknown/definition            | 404 | no connection to a registry",
                "/orders/nothing                | 404 | due-times",
                "/orders/nothing/7              | 404 | explain",
                "/orders/explain/7              | 404 | no item 7 of a job \"orders\"",
                "/orders/explain/first          | 400 | number of an item",
                "/orders/history                | 404 | no event trace",
                "/orders/runs                   | 404 | no event trace",
                "/orders/history/0d6b           | 404 | no event trace",
                "/orders/preview?strategy=byRegion | 409 | byRegion",
                "?scope=cluster                 | 400 | attention",
            })
    void everyProblemHasTheSameForm(String path, int status, String says) throws Exception {
        HttpResponse<String> response = get(Answering.class, path);

        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(json(response)).containsOnlyKeys("error", "violations");
        assertThat(json(response).get("error").toString()).contains(says);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "/orders/history?form=2026-11-01T00:00:00Z&from=2026-11-01T00:00:00&item=x&outcome=fine&limit=0 | form,from,item,limit,outcome",
                "/orders/runs?limit=-1&after=x&until=now | after,limit,until",
                "/orders/preview?withot=a&more=-1&total=none | more,total,withot",
                "/orders/due-times?limit=many&count=3 | count,limit",
                "/orders/tree?limit=1   | limit",
                "/orders/explain/0?item=1 | item",
                "/orders?job=invoices   | job",
                "/orders/tree?view=definition&job=invoices | job,view",
                "?nam=ord               | nam",
                "?name=ord              | name",
                "?scope=servers&name=a  | name",
                "?scope=namespace&status=fine&mane=a | mane,status",
            })
    void everyValueThatCannotBeUsedIsNamedAtOnce(String path, String names) throws Exception {
        HttpResponse<String> response = get(Answering.class, path);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(json(response)).containsOnlyKeys("error", "violations");
        assertThat((List<?>) json(response).get("violations"))
                .extracting(violation -> ((Map<?, ?>) violation).get("setting").toString())
                .containsExactlyInAnyOrder(names.strip().split(","));
    }

    @Test
    void registryThatCannotBeAskedIsReportedAsUnavailable() throws Exception {
        HttpResponse<String> response = get(Unavailable.class, "");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(json(response)).isEqualTo(json("{\"error\": \"no connection\", \"violations\": []}"));
    }

    @Test
    void registryThatDoesNotAnswerIsWaitedForUpToTheLimit() throws Exception {
        HttpResponse<String> response = get(Silent.class, "/orders");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("within 50 ms");
    }

    @Test
    void applicationWithoutAnEventTraceHasNoHistory() throws Exception {
        assertThat(get(Answering.class, "/orders/history").statusCode()).isEqualTo(404);
        assertThat(get(Answering.class, "/orders/runs").statusCode()).isEqualTo(404);
        assertThat(get(Answering.class, "/orders/history/0d6b").statusCode()).isEqualTo(404);
    }

    @Test
    void applicationWithoutJobsShowsNone() throws Exception {
        HttpResponse<String> response = get(NoJobs.class, "");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(json(response)).isEqualTo(json("{\"jobs\": []}"));
        assertThat(get(NoJobs.class, "/orders").statusCode()).isEqualTo(404);
    }

    private static HttpResponse<String> get(Class<?> application, String path) throws Exception {
        try (ConfigurableApplicationContext context = run(application)) {
            return get(context, path);
        }
    }

    private static ConfigurableApplicationContext run(Class<?> application) {
        return new SpringApplication(application)
                .run("--server.port=0", "--management.endpoints.web.exposure.include=elasticjob");
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext context, String path) throws Exception {
        String port = context.getEnvironment().getProperty("local.server.port");
        URI uri = URI.create("http://localhost:" + port + "/actuator/elasticjob" + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static Map<String, Object> json(HttpResponse<String> response) {
        return json(response.body());
    }

    private static Map<String, Object> json(String text) {
        return JsonParserFactory.getJsonParser().parseMap(text);
    }

    private static ElasticJobEndpoint endpoint(CompletionStage<JobReport> report) {
        JobQuestions questions = new JobQuestions(
                () -> List.of(new OneJob(report)),
                new GroupWatch(() -> CompletableFuture.completedFuture(List.of()), Clock.systemUTC()),
                new AppWatch(() -> new OneJob(report).apps(), Clock.fixed(Instant.EPOCH, ZoneOffset.UTC)),
                Duration.ofMillis(50));
        return new ElasticJobEndpoint(
                new JobViews(
                        questions,
                        new HistoryOperations(Optional::empty),
                        new JobCommands(List::of, questions, Clock.systemUTC())),
                List::of,
                "application");
    }

    /** Knows one job, which the registry may or may not answer with. */
    private record OneJob(CompletionStage<JobReport> report) implements JobInspector {
        private <T> CompletionStage<Optional<T>> of(String jobName, T answer) {
            return report.thenApply(job -> Optional.of(answer))
                    .thenApply(found -> found.filter(any -> jobName.equals("orders")));
        }

        @Override
        public CompletionStage<List<JobReport>> jobs() {
            return report.thenApply(List::of);
        }

        @Override
        public CompletionStage<SortedMap<String, Set<Integer>>> awaiting(String instance) {
            return report.thenApply(job -> Collections.emptySortedMap());
        }

        @Override
        public CompletionStage<JobPage> page(JobPage.Query query) {
            return report.thenApply(job -> new JobPage(
                    List.of(job),
                    61,
                    Optional.of(query.name() + query.status().orElseThrow() + query.after()),
                    Optional.of(new Swept.Progress(500, 2_000, false, Optional.of(Instant.EPOCH)))));
        }

        @Override
        public CompletionStage<JobPage.Names> matching(JobPage.Query query) {
            return report.thenApply(job -> new JobPage.Names(new TreeSet<>(List.of(job.name())), Optional.empty()));
        }

        @Override
        public CompletionStage<Swept<Checked>> swept() {
            return report.thenApply(
                    job -> new Swept<>(List.of(), new Swept.Progress(500, 2_000, false, Optional.empty())));
        }

        @Override
        public CompletionStage<List<ServerReport>> servers() {
            return report.thenApply(job -> List.of(new ServerReport(
                    "10.0.0.1",
                    List.of(drained()),
                    List.of(new JobOnServer("bills", true, true), new JobOnServer("orders", false, false)))));
        }

        private static InstanceOnServer drained() {
            Optional<DrainedBy> by = Optional.of(new DrainedBy(Instant.EPOCH, "mei", "kernel"));
            return new InstanceOnServer(
                    "10.0.0.1@-@7",
                    OptionalInt.of(8),
                    List.of(new Part("orders", List.of(), List.of(3), 2, true, by, false, false, true, true)),
                    Optional.empty());
        }

        @Override
        public CompletionStage<Optional<InstanceOnServer>> instance(String id) {
            return report.thenApply(
                    job -> Optional.of(drained()).filter(one -> one.id().equals(id)));
        }

        @Override
        public CompletionStage<NavigableSet<String>> names() {
            return report.thenApply(job -> new TreeSet<>(Set.of(job.name())));
        }

        @Override
        public CompletionStage<List<JobReport>> details(Collection<String> names) {
            return report.thenApply(List::of);
        }

        @Override
        public CompletionStage<Optional<JobDemand>> demand(String jobName) {
            return CompletableFuture.completedFuture(Optional.empty());
        }

        @Override
        public CompletionStage<List<JobDemand>> demands() {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public CompletionStage<List<JobDemand>> demands(Collection<String> names) {
            return CompletableFuture.completedFuture(List.of());
        }

        @Override
        public CompletionStage<JobDemand.Total> demandOf(NamePatterns jobs) {
            return report.thenApply(job -> new JobDemand.Total(
                    jobs.matches(job.name()) ? 1 : 0, 0, 2, 1, 3, Optional.of(90L), Optional.of(7L)));
        }

        @Override
        public CompletionStage<List<Finding>> attention() {
            return report.thenApply(job -> List.of(new Finding(
                    job.name(),
                    Finding.Kind.FAILED,
                    new TreeSet<>(Set.of(3)),
                    Optional.of(Instant.EPOCH),
                    Optional.empty(),
                    Fact.FAILED.of("problem", "no stock"),
                    Remedy.MEND.of())));
        }

        @Override
        public CompletionStage<List<AppReport>> apps() {
            PublishedApp app = new PublishedApp(
                    "shop",
                    "jobs",
                    false,
                    List.of(),
                    List.of(new PublishedApp.Condition("Ready", false, "Invalid", "no container", Instant.EPOCH)));
            return report.thenApply(
                    job -> List.of(new AppReport(app.id(), app, true, Instant.EPOCH, Optional.empty())));
        }

        @Override
        public CompletionStage<Optional<AppReport>> app(String id) {
            return report.thenApply(job -> Optional.empty());
        }

        @Override
        public CompletionStage<Optional<Finding>> dataLoss() {
            return report.thenApply(job -> Optional.empty());
        }

        @Override
        public CompletionStage<RegistryDataReport> registryData() {
            return report.thenApply(job -> new RegistryDataReport(Optional.empty(), OptionalLong.empty()));
        }

        @Override
        public CompletionStage<Optional<PausedBy>> namespacePause() {
            return report.thenApply(job -> Optional.empty());
        }

        @Override
        public CompletionStage<Optional<JobReport>> job(String jobName) {
            return report.thenApply(Optional::of)
                    .thenApply(found -> found.filter(job -> job.name().equals(jobName)));
        }

        @Override
        public CompletionStage<Optional<List<JobReport.InstanceReport>>> instances(String jobName) {
            return of(
                    jobName,
                    List.of(new JobReport.InstanceReport(
                            "10.0.0.1@-@7",
                            "10.0.0.1",
                            Instant.EPOCH,
                            "of ours",
                            Optional.of("1.2.0"),
                            Map.of("zone", "a", "disk", "ssd"),
                            OptionalInt.of(8),
                            false,
                            false,
                            true,
                            false,
                            Optional.empty(),
                            false,
                            List.of(0))));
        }

        @Override
        public CompletionStage<Optional<ReshardPreview>> preview(String jobName, WhatIf question) {
            if (question.strategy().filter("byRegion"::equals).isPresent()) {
                return CompletableFuture.failedFuture(new IllegalStateException("\"byRegion\" is a bean elsewhere"));
            }
            return of(
                    jobName,
                    new ReshardPreview(
                            question.strategy().orElse("AVG_ALLOCATION"),
                            question.total().orElse(1),
                            question.without().stream()
                                    .map(id -> new ReshardPreview.Share(
                                            id, ReshardPreview.Change.LEAVES, false, List.of(0), List.of()))
                                    .toList(),
                            List.of(0),
                            List.of(),
                            List.of(),
                            List.of()));
        }

        @Override
        public CompletionStage<Optional<List<Entry>>> commands(String jobName) {
            return of(
                    jobName,
                    List.of(new Entry(
                            Instant.EPOCH,
                            "alice",
                            "INC-7",
                            "pause",
                            "is not paused",
                            "paused",
                            List.of(new SettingChange(
                                    "cron", Optional.of("0 0 3 * * ?"), Optional.of("0 0 4 * * ?"))))));
        }

        @Override
        public CompletionStage<Optional<DueTimes>> dueTimes(String jobName, int count) {
            return count > 1_000
                    ? CompletableFuture.failedFuture(new IllegalArgumentException("too many"))
                    : of(jobName, new DueTimes(Collections.nCopies(count, Instant.EPOCH), List.of()));
        }

        @Override
        public CompletionStage<Optional<Explanation>> explain(String jobName, int item) {
            return of(
                            jobName,
                            new Explanation(
                                    jobName,
                                    item,
                                    Explanation.Verdict.WAITS,
                                    Optional.empty(),
                                    List.of(new Explanation.Condition(
                                            Explanation.Reason.NOT_DUE,
                                            Explanation.Certainty.HOLDS,
                                            Fact.NOT_DUE.of("next", Instant.EPOCH),
                                            Optional.of("/orders/sharding/0"),
                                            Optional.of(3),
                                            Optional.empty(),
                                            Optional.of(Instant.EPOCH),
                                            Remedy.TRIGGER.of()))))
                    .thenApply(found -> found.filter(known -> item == 0));
        }

        @Override
        public CompletionStage<Optional<String>> dump(String jobName) {
            return of(jobName, "/orders  v0\n/orders/config  v1\n");
        }

        @Override
        public CompletionStage<Optional<String>> dumpWithoutParameters(String jobName) {
            return dump(jobName);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Answering {
        @Bean
        ElasticJobEndpoint answeringEndpoint() {
            return endpoint(CompletableFuture.completedFuture(ORDERS));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Unavailable {
        @Bean
        ElasticJobEndpoint unavailableEndpoint() {
            return endpoint(CompletableFuture.failedFuture(new RegistryUnavailableException("no connection")));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Silent {
        @Bean
        ElasticJobEndpoint silentEndpoint() {
            return endpoint(new CompletableFuture<>());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class NoJobs {}
}
