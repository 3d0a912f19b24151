package dev.elasticjob.console.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.ZooKeeperProcess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** What an application has recorded, shown by a console that is given its database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HistoryIT {
    private static final String REGISTRIES = "/elasticjob/api/v1/registries/";
    private static final String DATABASE = "jdbc:h2:mem:trace-of-the-shop;DB_CLOSE_DELAY=-1";
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    private final ZooKeeperProcess server = ZooKeeperProcess.start();
    private ConfigurableApplicationContext console;
    private SignedIn mei;

    @BeforeAll
    void start() throws Exception {
        recordARun();
        console = SpringApplication.run(
                ConsoleApplication.class,
                "--server.port=0",
                "--elasticjob.console.users.mei.password=" + encoded("mei-s"),
                "--elasticjob.console.users.mei.roles=viewer",
                connectString("north"),
                "--elasticjob.console.registries.north.namespace=shop",
                "--elasticjob.console.registries.north.history.url=" + DATABASE,
                "--elasticjob.console.registries.north.history.username=sa",
                connectString("untraced"),
                "--elasticjob.console.registries.untraced.namespace=shop",
                connectString("away"),
                "--elasticjob.console.registries.away.namespace=shop",
                "--elasticjob.console.registries.away.history.url=jdbc:postgresql://127.0.0.1:1/trace?password=of-the-trace",
                "--elasticjob.console.registries.away.history.query-timeout=1s");
        mei = SignedIn.as(
                "http://127.0.0.1:" + console.getEnvironment().getProperty("local.server.port"), "mei", "mei-s");
    }

    private String connectString(String registry) {
        return "--elasticjob.console.registries." + registry + ".connect-string=" + server.connectString();
    }

    /** By hand, of a job of two items of which one fails. The trace is complete when the application has ended. */
    private void recordARun() throws Exception {
        try (ConfigurableApplicationContext shop = SpringApplication.run(
                Shop.class,
                "--spring.main.web-application-type=none",
                "--spring.datasource.url=" + DATABASE,
                "--elasticjob.enabled=true",
                "--elasticjob.tracing.enabled=true",
                "--elasticjob.registry.connect-string=" + server.connectString(),
                "--elasticjob.registry.namespace=shop")) {
            Events events = shop.getBean(Events.class);
            events.heard.await(
                    "an assignment", all -> all.stream().anyMatch(JobEvent.AssignmentChanged.class::isInstance));
            shop.getBean(JobAdmin.class)
                    .trigger("orders", new RunRequest("month-end", ""))
                    .toCompletableFuture()
                    .get(60, TimeUnit.SECONDS);
            events.heard.await(
                    "the end of both items",
                    all -> all.stream()
                                    .filter(event -> event instanceof JobEvent.ItemFinished)
                                    .count()
                            == 2);
        }
    }

    private static String encoded(String password) throws IOException {
        return EncodedPassword.read(null, new ByteArrayInputStream(password.getBytes(StandardCharsets.UTF_8)));
    }

    @AfterAll
    void stop() {
        console.close();
        server.close();
    }

    @Test
    void theFiringsOfAJobAreShown() {
        assertThat(mei.get(REGISTRIES + "north/jobs/orders/firings").body())
                .contains("\"runId\":\"month-end\"", "\"first\":0,\"outcomes\":\"CF\"");
    }

    @Test
    void anExecutionIsShownWithItsFailureAndWhatHappened() {
        String failed = mei.get(REGISTRIES + "north/executions?outcome=FAILED").body();
        Matcher id = ID.matcher(failed);
        assertThat(id.find()).as(failed).isTrue();
        String execution = REGISTRIES + "north/executions/" + id.group(1);

        assertThat(failed).contains("\"job\":\"orders\"", "\"item\":1").doesNotContain("\"item\":0");
        assertThat(mei.get(execution).body()).contains("the printer is on fire", "HistoryIT");
        assertThat(mei.get(execution + "/steps").body()).contains("TASK_RUNNING", "TASK_ERROR");
    }

    @Test
    void commandsThatTheApplicationsHaveRecordedAreShown() {
        assertThat(mei.get(REGISTRIES + "north/operations?job=orders").body())
                .contains("\"command\":\"trigger run month-end\"", "\"succeeded\":true");
    }

    @Test
    void aRegistryWithoutADatabaseSaysHowToHaveAHistory() {
        HttpResponse<String> untraced = mei.get(REGISTRIES + "untraced/jobs/orders/firings");

        assertThat(untraced.statusCode()).isEqualTo(404);
        assertThat(untraced.body()).contains("elasticjob.console.registries.untraced.history.url");
    }

    @Test
    void aDatabaseThatIsAwaySaysSoAndHarmsNothingElse() {
        HttpResponse<String> away = mei.get(REGISTRIES + "away/jobs/orders/firings");

        assertThat(away.statusCode()).isEqualTo(503);
        assertThat(away.body()).contains("HISTORY").doesNotContain("of-the-trace");
        assertThat(mei.get(REGISTRIES + "away/jobs").body()).contains("\"name\":\"orders\"");
        assertThat(mei.get(REGISTRIES + "north/jobs/orders/firings").statusCode())
                .isEqualTo(200);
    }

    /** Of the application. Not found by the console, because it is no component. */
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        Events events() {
            return new Events();
        }

        @Bean
        @ElasticJob(name = "orders", cron = "0 0 4 1 1 ?", shardingTotalCount = 2)
        SimpleJob orders() {
            return context -> {
                if (context.getShardingItem() == 1) {
                    throw new IllegalStateException("the printer is on fire");
                }
            };
        }
    }

    /** What the application's jobs have done. */
    static final class Events implements JobEventListener {
        private final Heard<JobEvent> heard = new Heard<>();

        @Override
        public void onEvent(JobEvent event) {
            heard.add(event);
        }
    }
}
