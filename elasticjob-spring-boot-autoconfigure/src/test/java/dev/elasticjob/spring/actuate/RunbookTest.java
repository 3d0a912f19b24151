package dev.elasticjob.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.cluster.ClusterJobListener;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.ElasticJob;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParser;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * The commands of {@code docs/operations.md}, one after the other, on the application that the page describes: each answer
 * has the fields of the page's answer. An answer that the page shows in parts has a line with "…" instead of the rest.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunbookTest {
    private static final Path PAGE = Path.of("../docs/operations.md");
    private static final Pattern CURL = Pattern.compile("curl (?:-X POST )?\"?\\$E([^\\s\"]*)\"?");
    private static final Pattern BODY = Pattern.compile("-d '([^']*)'");
    private static final String REST = "…";

    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(Clock.systemUTC());
    private final CommandsWebTest.Events events = new CommandsWebTest.Events();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Map<String, String> real = new HashMap<>();
    private final List<String> differences = new ArrayList<>();
    private ConfigurableApplicationContext first;
    private ConfigurableApplicationContext second;

    @BeforeAll
    void start() {
        first = run("1");
        second = run("2");
        events.await(
                2,
                JobEvent.AssignmentChanged.class,
                change -> change.jobName().equals("orders") && change.items().size() == 2);
    }

    @AfterAll
    void stop() {
        end.countDown();
        second.close();
        first.close();
    }

    private ConfigurableApplicationContext run(String number) {
        return new SpringApplicationBuilder(Shop.class)
                .initializers(context -> {
                    GenericApplicationContext beans = (GenericApplicationContext) context;
                    beans.registerBean(
                            Registry.class,
                            () -> new InMemoryRegistry(ensemble, new SimpleAsyncTaskExecutor("registry-")));
                    beans.registerBean(CountDownLatch.class, () -> end);
                    beans.registerBean(CommandsWebTest.Events.class, () -> events);
                })
                .run(
                        "--server.port=0",
                        "--management.endpoints.web.exposure.include=elasticjob",
                        "--management.endpoint.elasticjob.access=unrestricted",
                        "--elasticjob.instance.ip=10.0.0." + number,
                        "--elasticjob.instance.id=10.0.0." + number + "@-@shop-" + number);
    }

    @Test
    void everyAnswerHasTheFieldsOfThePagesAnswer() throws Exception {
        List<Step> steps = steps();

        for (Step step : steps) {
            prepare(step);
            HttpResponse<String> answer = step.body().isEmpty()
                    ? CommandsWebTest.get(first, step.path())
                    : CommandsWebTest.post(first, step.path(), asReal(step.body()));
            Object page = parsed(step.answer());
            Object found = parsed(answer.body());
            boolean refused = page instanceof Map<?, ?> fields && fields.containsKey("error");
            if (answer.statusCode() / 100 != (refused ? 4 : 2)) {
                differences.add("%s: status %d: %s".formatted(step, answer.statusCode(), answer.body()));
            } else {
                compare(step.toString(), page, found);
            }
        }

        assertThat(steps).hasSizeGreaterThan(25);
        assertThat(differences).isEmpty();
    }

    // ------------------------------------------------------------------ what the page presupposes

    private void prepare(Step step) throws Exception {
        switch (step.toString()) {
            case "Why doesn't the item run?: /orders/explain/1" -> {
                command("/orders/trigger", "{\"items\": \"1\", \"parameter\": \"hangs\"}");
                awaitStart(1);
            }
            case "What does the firing wait for?: /stocktaking" -> {
                command("/stocktaking/trigger", "{}");
                events.await(
                        1, JobEvent.ItemStarted.class, event -> event.jobName().equals("stocktaking"));
            }
            case "What needs a person?: ?scope=attention" -> {
                command("/orders/trigger", "{\"items\": \"3\", \"parameter\": \"fails\"}");
                awaitRecord(3);
            }
            case "Run again what failed: /orders/run-again" ->
                // Told once the record is written; the end of the execution is told before.
                events.await(
                        1,
                        JobEvent.ItemCancelled.class,
                        event -> event.jobName().equals("orders") && event.item() == 1);
            case "Run past times once more: /orders" ->
                command(
                        "/orders/backfill",
                        "{\"from\": \"%s\", \"until\": \"%s\", \"atOnce\": 2}"
                                .formatted(Instant.now().minus(Duration.ofHours(8)), Instant.now()));
            case "Take a server out: /orders/disable-server" -> command("/orders/enable-item", "{\"item\": 3}");
            case "Pause a job: /orders/pause" -> command("/orders/enable-server", "{\"server\": \"10.0.0.2\"}");
            case "Pause everything: /pause-all" -> command("/orders/resume", "{}");
            case "Drain an instance: /orders/drain" -> command("/resume-all", "{}");
            default -> {}
        }
    }

    private void command(String path, String body) throws Exception {
        HttpResponse<String> answer = CommandsWebTest.post(first, path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private void awaitStart(int item) {
        events.await(1, JobEvent.ItemStarted.class, event -> event.jobName().equals("orders") && event.item() == item);
    }

    /** The end of an execution is told before it is recorded; its lock goes with the record. */
    private void awaitRecord(int item) {
        awaitStart(item);
        first.getBean(Registry.class)
                .awaitAbsence(new JobTree("orders").running(item))
                .toCompletableFuture()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
    }

    // ------------------------------------------------------------------ the page

    /** A command with its answer. */
    private record Step(String heading, String path, String body, String answer) {
        @Override
        public String toString() {
            return heading + ": " + path;
        }
    }

    /** A block of commands, directly followed by its answer. */
    private static List<Step> steps() throws Exception {
        List<Step> steps = new ArrayList<>();
        String heading = "";
        StringBuilder block = null;
        String command = "";
        for (String line : Files.readAllLines(PAGE)) {
            if (block != null && !line.equals("```")) {
                block.append(line).append('\n');
            } else if (line.equals("```sh") || line.equals("```json")) {
                block = new StringBuilder(line.substring(3)).append('\n');
            } else if (block != null) {
                String text = block.toString();
                if (text.startsWith("sh\n")) {
                    command = text;
                } else if (!command.isEmpty()) {
                    steps.add(step(heading, command, text.substring("json\n".length())));
                    command = "";
                }
                block = null;
            } else if (line.startsWith("#")) {
                heading = line.replaceFirst("#+ ", "");
                command = "";
            }
        }
        return steps;
    }

    private static Step step(String heading, String command, String answer) {
        Matcher curl = CURL.matcher(command);
        assertThat(curl.find()).as(command).isTrue();
        Matcher body = BODY.matcher(command);
        return new Step(heading, curl.group(1), body.find() ? body.group(1) : "", answer);
    }

    private static Object parsed(String json) {
        String whole = json.replaceAll(REST + "(\\s*\\])", "\"" + REST + "\"$1")
                .replaceAll(REST + "(\\s*\\})", "\"" + REST + "\": true$1");
        JsonParser parser = JsonParserFactory.getJsonParser();
        return whole.stripLeading().startsWith("[") ? parser.parseList(whole) : parser.parseMap(whole);
    }

    /** What the page has from an earlier answer, and times that are past now. */
    private String asReal(String body) {
        Instant today = Instant.now();
        String asked = body.replace(
                        "2026-11-01T00:00:00Z", today.minus(Duration.ofDays(7)).toString())
                .replace("2026-11-07T23:59:59Z", today.toString());
        for (Map.Entry<String, String> known : real.entrySet()) {
            asked = asked.replace('"' + known.getKey() + '"', '"' + known.getValue() + '"');
        }
        return asked;
    }

    // ------------------------------------------------------------------ fields

    private void compare(String where, @Nullable Object page, @Nullable Object found) {
        if (page instanceof Map<?, ?> fields && found instanceof Map<?, ?> present) {
            boolean inParts = fields.containsKey(REST);
            fields.forEach((name, value) -> {
                if (present.containsKey(name)) {
                    compare(where + "." + name, value, present.get(name));
                } else if (!name.equals(REST)) {
                    differences.add(where + "." + name + " is not answered: " + present);
                }
            });
            present.forEach((name, value) -> {
                if (!inParts && !fields.containsKey(name)) {
                    differences.add(where + "." + name + " is answered: " + value);
                }
            });
        } else if (page instanceof List<?> elements && found instanceof List<?> present) {
            for (Object element : elements) {
                // What there is of plain values depends on the moment.
                if (element instanceof Map) {
                    present.stream()
                            .filter(other -> isAlike(element, other))
                            .findFirst()
                            .ifPresentOrElse(
                                    other -> compare(where, element, other),
                                    () -> differences.add(
                                            "%s: there is none like %s in %s".formatted(where, element, present)));
                }
            }
        } else if (page != null && found != null && page.getClass() != found.getClass()) {
            differences.add("%s: %s, but it was %s".formatted(where, page, found));
        } else if (Stream.of(".status", ".verdict").anyMatch(where::endsWith)
                && !String.valueOf(page).equals(found)) {
            differences.add("%s: %s, but it was %s".formatted(where, page, found));
        } else if (page instanceof String text && found instanceof String present) {
            real.put(text, present);
        }
    }

    /** Elements of these kinds are found by what they are about; of others, any. */
    private static boolean isAlike(@Nullable Object page, @Nullable Object found) {
        return !(page instanceof Map<?, ?> fields && found instanceof Map<?, ?> present)
                || Stream.of("item", "reason", "server")
                        .filter(name -> fields.containsKey(name) && !fields.containsKey("actor"))
                        .allMatch(name -> String.valueOf(fields.get(name)).equals(String.valueOf(present.get(name))));
    }

    // ------------------------------------------------------------------ the application

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        @ElasticJob(name = "orders", cron = "0 0 * * * ?", timeZone = "UTC", shardingTotalCount = 4, stuckAfter = "5s")
        SimpleJob orders(CountDownLatch end) {
            return context -> {
                if (context.getRunParameter().equals("fails")) {
                    throw new IllegalStateException("Order 4711 has no address");
                }
                if (context.getShardingItem() == 1) {
                    end.await(10, TimeUnit.MINUTES);
                }
            };
        }

        @Bean
        @ElasticJob(name = "invoices", cron = "0 30 2 * * ?", timeZone = "UTC", shardingTotalCount = 2)
        SimpleJob invoices() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "stocktaking", cron = "0 0 0 1 1 ?", timeZone = "UTC", shardingTotalCount = 4)
        SimpleJob stocktaking(CountDownLatch end) {
            return context -> end.await(10, TimeUnit.MINUTES);
        }

        @Bean
        ClusterJobListener listener() {
            return new ClusterJobListener() {
                @Override
                public boolean appliesTo(String jobName) {
                    return jobName.equals("stocktaking");
                }
            };
        }
    }
}
