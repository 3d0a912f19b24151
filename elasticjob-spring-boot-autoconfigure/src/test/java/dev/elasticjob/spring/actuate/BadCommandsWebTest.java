package dev.elasticjob.spring.actuate;

import static dev.elasticjob.spring.actuate.CommandsWebTest.get;
import static dev.elasticjob.spring.actuate.CommandsWebTest.json;
import static dev.elasticjob.spring.actuate.CommandsWebTest.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.testing.ChangedRegistry;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** Commands over HTTP that can't be carried out, or not as they were meant: the answer says what is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadCommandsWebTest {
    private ConfigurableApplicationContext application;

    @BeforeAll
    void start() {
        application = new SpringApplication(Shop.class)
                .run(
                        "--server.port=0",
                        "--management.endpoints.web.exposure.include=elasticjob",
                        "--management.endpoint.elasticjob.access=unrestricted",
                        "--elasticjob.instance.ip=10.0.0.1");
        application
                .getBean(CommandsWebTest.Events.class)
                .await(
                        3,
                        JobEvent.AssignmentChanged.class,
                        change -> !change.items().isEmpty());
    }

    @AfterAll
    void stop() {
        application.close();
    }

    // ------------------------------------------------------------------ names and values

    @ParameterizedTest
    @ValueSource(
            strings = {
                "trigger {}",
                "cancel {'item': 0}",
                "run-again {'runId': 'x'}",
                "backfill {'from': '2021-01-01T00:00:00Z', 'until': '2022-01-01T00:00:00Z'}",
                "stop-backfill {}",
                "reshard {}",
                "disable {}",
                "enable {}",
                "disable-server {'server': '10.0.0.1'}",
                "enable-server {'server': '10.0.0.1'}",
                "disable-item {'item': 0}",
                "enable-item {'item': 0}",
                "redefine {'version': '1-1', 'settings': 'description=x'}",
                "remove {}",
                "pause {}",
                "resume {}",
                "drain {'instance': '10.0.0.1@-@1'}",
                "undrain {'instance': '10.0.0.1@-@1'}"
            })
    void anUnknownJobIsNotFoundWhateverTheCommand(String request) throws Exception {
        int space = request.indexOf(' ');

        HttpResponse<String> answer = post(
                application,
                "/unknown/" + request.substring(0, space),
                request.substring(space + 1).replace('\'', '"'));

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).contains("unknown");
        assertThat(get(application, "/unknown").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "disable-item | {'item': 3}          | 404 | has no item 3",
                "enable-item  | {'item': -1}         | 404 | has no item -1",
                "cancel       | {'item': 3}          | 404 | has no item 3",
                "cancel       | {'items': '0-4,7'}   | 404 | has no items [3-4,7]: it has 3 items",
                "disable-item | {'items': '0,2-4'}   | 404 | has no items [3-4]",
                "enable-item  | {'items': '0,9'}     | 404 | has no item 9",
                "disable-item | {'items': '1,x,2-1,0-1,-3'} | 400 | \\\"x\\\" is neither, 2-1 ends before it begins, 1 is there twice, \\\"-3\\\" is neither",
                "disable-item | {'items': '1-3,0-4'} | 400 | 3 items from 1 to 3 are there twice",
                "cancel       | {'items': '0-999999999'} | 400 | 0-999999999 has more than 50,000 items",
                "trigger      | {'items': '0-49999,60000'} | 400 | with 60000-60000 there are more than 50,000 items",
                "trigger      | {'items': 'a,b,c,d,e,f,g'} | 400 | and 2 more",
                "trigger      | {'items': '0,3'}     | 400 | 3",
                "trigger      | {'items': 'first'}   | 400 | numbers separated by commas",
                "backfill     | {'from': '2022-01-01T00:00:00Z', 'until': '2021-01-01T00:00:00Z'} | 400 | to begin before it ends",
                "backfill     | {'from': '2021-01-02T00:00:00Z', 'until': '2021-01-03T00:00:00Z'} | 400 | has no scheduled time",
                "backfill     | {'from': '0001-01-01T00:00:00Z', 'until': '2021-01-03T00:00:00Z'} | 400 | at most 1,000",
                "backfill     | {'from': '2021-01-01T00:00:00Z', 'until': '2021-01-03T00:00:00Z', 'atOnce': 17} | 400 | from 1 to 16",
                "backfill     | {'from': 'yesterday', 'until': '2021-01-03T00:00:00Z'} | 400 | a time with its zone",
                "redefine     | {'version': '1-1', 'settings': 'cron'} | 400 | name=value",
            })
    void whatCanNotBeMeantIsRefusedAndChangesNothing(String command, String body, int status, String says)
            throws Exception {
        String before = get(application, "/orders/tree").body();

        HttpResponse<String> answer = post(application, "/orders/" + command, body.replace('\'', '"'));

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).contains(says);
        assertThat(get(application, "/orders/tree").body()).isEqualTo(before);
    }

    /** Each would do more than was meant if the wrong name were overlooked. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "trigger        | {'itmes': '1', 'runid': 'x'}                        | itmes,runid",
                "trigger        | {'item': 'first', 'items': '1,x', 'runId': 'a b', 'server': 'a'} | item,items,items,runId,server",
                "trigger        | {'items': ''}                                       | items",
                "trigger        | {'items': ','}                                      | items",
                "trigger        | {'items': null}                                     | items",
                "trigger        | {'item': 0, 'items': '1'}                           | items",
                "trigger        | {'job': 'other'}                                    | job",
                "trigger        | {'command': 'remove', 'given': 'x'}                 | command,given",
                "cancel         | {'runId': 'x', 'Item': 1}                           | Item",
                "cancel         | {'runId': ' ', 'items': '0,x'}                      | items,runId",
                "run-again      | {'items': '1', 'newRunId': 'a b'}                   | items,newRunId,runId",
                "backfill       | {'from': '2021-01-01T00:00:00', 'until': 'now', 'atonce': 1, 'atOnce': 17} | atOnce,atonce,from,until",
                "stop-backfill  | {'runId': 'x'}                                      | runId",
                "reshard        | {'instance': 'a'}                                   | instance",
                "disable        | {'item': 1}                                         | item",
                "disable        | {'server': '10.0.0.1'}                              | server",
                "enable         | {'server': '10.0.0.1'}                              | server",
                "disable-server | {'servers': '10.0.0.1'}                             | server,servers",
                "disable-item   | {'item': 'x', 'reson': 'y'}                         | item,reson",
                "cancel         | {'item': 0, 'items': '1'}                           | items",
                "cancel         | {'items': '0,1,0'}                                  | items",
                "disable-item   | {'items': '2-1', 'item': 'x'}                       | item,items,items",
                "disable-item   | {'items': '0-2,1'}                                  | items",
                "enable-item    | {'items': ''}                                       | items",
                "enable-item    | {'items': null, 'reason': 'x'}                      | items",
                "enable-item    | {}                                                  | item",
                "create         | {'setting': 'jobClass=a'}                           | setting,settings",
                "redefine       | {'settings': 'cron', 'versoin': '1-1'}              | settings,version,versoin",
                "remove         | {'item': 1}                                         | item",
                "pause          | {'until': '2027-01-01T00:00:00Z'}                   | until",
                "resume         | {'item': 1}                                         | item",
                "drain          | {'instnace': 'x'}                                   | instance,instnace",
                "undrain        | {'instance': ' '}                                   | instance",
            })
    void aWrongNameIsRefusedWithEverythingElseThatIsWrong(String command, String body, String names) throws Exception {
        String before = get(application, "/orders/tree").body();

        HttpResponse<String> answer = post(application, "/orders/" + command, body.replace('\'', '"'));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer)).containsOnlyKeys("error", "violations");
        assertThat((List<?>) json(answer).get("violations"))
                .extracting(violation -> ((Map<?, ?>) violation).get("setting").toString())
                .containsExactlyInAnyOrder(names.strip().split(","));
        assertThat(get(application, "/orders/tree").body()).isEqualTo(before);
    }

    @Test
    void aWrongNameInTheQueryIsRefusedToo() throws Exception {
        assertThat(post(application, "/orders/trigger?itmes=1", "{}").statusCode())
                .isEqualTo(400);
        assertThat(post(application, "/orders/trigger?job=other", "{}").statusCode())
                .isEqualTo(400);
        assertThat(post(application, "/pause-all?command=resume-all", "").statusCode())
                .isEqualTo(400);
        assertThat(post(application, "/pause-all", "{\"job\": \"orders\"}").body())
                .contains("takes only reason");
        assertThat(post(application, "/drain-all", "{\"instances\": \"a\"}").body())
                .contains("instance, reason");
    }

    /** Spring Boot answers these itself. */
    @ParameterizedTest
    @ValueSource(strings = {"{\"items\": [0, 1]}", "[]", "{\"item\": ", "7"})
    void aBodyThatIsNoObjectOfTextsChangesNothing(String body) throws Exception {
        String before = get(application, "/orders/tree").body();

        HttpResponse<String> answer = post(application, "/orders/trigger", body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(get(application, "/orders/tree").body()).isEqualTo(before);
    }

    @Test
    void oneItemMayBeNamedByEitherWord() throws Exception {
        Map<String, Object> one = json(post(application, "/orders/trigger", "{\"item\": 1, \"runId\": \"one\"}"));
        Map<String, Object> some =
                json(post(application, "/orders/trigger", "{\"items\": \"1\", \"runId\": \"some\"}"));
        HttpResponse<String> disabled = post(application, "/orders/disable-item", "{\"items\": \"2\"}");
        Object after = item(2).get("disabled");
        post(application, "/orders/enable-item", "{\"item\": \"2\"}");

        assertThat(one).containsEntry("items", List.of(1));
        assertThat(some).containsEntry("items", List.of(1));
        assertThat(disabled.statusCode()).isEqualTo(200);
        assertThat(after).isEqualTo(true);
        assertThat(post(application, "/orders/cancel", "{\"items\": \"7\"}").body())
                .contains("has no item 7");
        assertThat(post(application, "/orders/cancel", "{\"item\": \"7\"}").body())
                .contains("has no item 7");
    }

    @Test
    void severalItemsAreTheSameWordsInEachCommand() throws Exception {
        Map<String, Object> triggered =
                json(post(application, "/orders/trigger", "{\"items\": \"0-1\", \"runId\": \"both\"}"));
        post(application, "/orders/disable-item", "{\"item\": 2}");
        Map<String, Object> disabled = json(post(application, "/orders/disable-item", "{\"items\": \" 0 - 1, 2\"}"));
        List<Object> after = List.of(item(0).get("disabled"), item(1).get("disabled"), item(2).get("disabled"));
        Map<String, Object> enabled = json(post(application, "/orders/enable-item", "{\"items\": \"0-2\"}"));

        assertThat(triggered).containsEntry("items", List.of(0, 1));
        assertThat(disabled)
                .containsOnlyKeys("job", "command", "actor", "results")
                .containsEntry("results", Map.of("0", "CHANGED", "1", "CHANGED", "2", "ALREADY"));
        assertThat(after).containsOnly(true);
        assertThat(enabled).containsEntry("results", Map.of("0", "CHANGED", "1", "CHANGED", "2", "CHANGED"));
        assertThat(item(0).get("disabled")).isEqualTo(false);
    }

    @Test
    void aParameterAboveTheLimitIsRefusedWithTheLimit() throws Exception {
        HttpResponse<String> answer =
                post(application, "/orders/trigger", "{\"parameter\": \"%s\"}".formatted("x".repeat(20_000)));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .contains("bytes")
                .doesNotContain("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
    }

    // ------------------------------------------------------------------ others

    @Test
    void ofTwoOperatorsAtOnceOneChangesTheDefinitionAndTheOtherIsShownIt() throws Exception {
        Object version = json(get(application, "/orders/definition")).get("version");
        String change = "{\"version\": \"%s\", \"settings\": \"description=%s\"}";

        List<HttpResponse<String>> answers = together(
                () -> post(application, "/orders/redefine", change.formatted(version, "alice's")),
                () -> post(application, "/orders/redefine", change.formatted(version, "bob's")));

        assertThat(answers).extracting(HttpResponse::statusCode).containsExactlyInAnyOrder(200, 409);
        HttpResponse<String> late = answers.stream()
                .filter(answer -> answer.statusCode() == 409)
                .findFirst()
                .orElseThrow();
        assertThat(json(late))
                .containsEntry(
                        "version", json(get(application, "/orders/definition")).get("version"));
    }

    @Test
    void twoOperatorsWhoPauseAtOncePauseOnce() throws Exception {
        List<HttpResponse<String>> answers = together(
                () -> post(application, "/orders/pause", "{\"reason\": \"one\"}"),
                () -> post(application, "/orders/pause", "{\"reason\": \"other\"}"));
        Object paused = json(get(application, "/orders")).get("paused");
        post(application, "/orders/resume", "{}");

        assertThat(answers).extracting(answer -> json(answer).get("changed")).containsExactlyInAnyOrder(true, false);
        assertThat(answers).extracting(answer -> json(answer).get("paused")).containsOnly(paused);
    }

    @Test
    void whateverMeetsARemovalLeavesNothingOfTheJobBehind() throws Exception {
        List<HttpResponse<String>> answers = together(
                () -> post(application, "/doomed/remove", "{}"),
                () -> post(application, "/doomed/disable-item", "{\"item\": 0}"),
                () -> post(application, "/doomed/reshard", "{}"),
                () -> post(application, "/doomed/disable", "{}"));
        HttpResponse<String> after = post(application, "/doomed/disable-item", "{\"item\": 0}");

        assertThat(answers.get(0).statusCode()).isEqualTo(200);
        assertThat(answers).extracting(HttpResponse::statusCode).isSubsetOf(200, 404, 409);
        assertThat(after.statusCode()).isEqualTo(404);
        assertThat(get(application, "/doomed").statusCode()).isEqualTo(404);
        assertThat(post(application, "/doomed/remove", "{}").statusCode()).isEqualTo(404);
    }

    // ------------------------------------------------------------------ the registry

    @Test
    void withoutTheRegistryNothingIsDoneAndRepeatingDoesIt() throws Exception {
        Shop.fault = Fault.NOT_SENT;

        HttpResponse<String> failed = post(application, "/orders/disable-item", "{\"item\": 2}");
        Object meanwhile = item(2).get("disabled");
        Shop.fault = Fault.NONE;
        HttpResponse<String> repeated = post(application, "/orders/disable-item", "{\"item\": 2}");
        Object after = item(2).get("disabled");
        post(application, "/orders/enable-item", "{\"item\": 2}");

        assertThat(failed.statusCode()).isEqualTo(503);
        assertThat(failed.body()).contains("away");
        assertThat(meanwhile).isEqualTo(false);
        assertThat(repeated.statusCode()).isEqualTo(200);
        assertThat(after).isEqualTo(true);
    }

    @Test
    void aCommandWhoseAnswerIsLostMayBeRepeated() throws Exception {
        Shop.fault = Fault.ANSWER_LOST;

        HttpResponse<String> failed = post(application, "/orders/disable-item", "{\"item\": 1}");
        Object meanwhile = item(1).get("disabled");
        Shop.fault = Fault.NONE;
        HttpResponse<String> repeated = post(application, "/orders/disable-item", "{\"item\": 1}");
        post(application, "/orders/enable-item", "{\"item\": 1}");

        assertThat(failed.statusCode()).isEqualTo(503);
        assertThat(meanwhile).isEqualTo(true);
        assertThat(repeated.statusCode()).isEqualTo(200);
    }

    // ------------------------------------------------------------------ asking

    private Map<?, ?> item(int number) throws Exception {
        List<?> items = (List<?>) json(get(application, "/orders")).get("items");
        return (Map<?, ?>) items.get(number);
    }

    private interface Request {
        HttpResponse<String> send() throws Exception;
    }

    private static List<HttpResponse<String>> together(Request... requests) {
        List<CompletableFuture<HttpResponse<String>>> all = Stream.of(requests)
                .map(request -> CompletableFuture.supplyAsync(() -> sent(request), new SimpleAsyncTaskExecutor()))
                .toList();
        return all.stream().map(CompletableFuture::join).toList();
    }

    private static HttpResponse<String> sent(Request request) {
        try {
            return request.send();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private enum Fault {
        NONE,
        NOT_SENT,
        ANSWER_LOST
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        private static volatile Fault fault = Fault.NONE;

        @Bean
        Registry registry() {
            return new ChangedRegistry(new InMemoryRegistry(
                    new InMemoryEnsemble(Clock.systemUTC()), new SimpleAsyncTaskExecutor("registry-"))) {
                @Override
                public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                    boolean disables = commit.operations().stream()
                            .anyMatch(step -> step.path().endsWith("/disabled"));
                    Fault now = disables ? fault : Fault.NONE;
                    return switch (now) {
                        case NONE -> super.commit(session, commit);
                        case NOT_SENT -> away();
                        case ANSWER_LOST -> super.commit(session, commit).thenCompose(done -> away());
                    };
                }

                private CompletionStage<CommitOutcome> away() {
                    return CompletableFuture.failedFuture(new RegistryUnavailableException("the registry is away"));
                }
            };
        }

        @Bean
        CommandsWebTest.Events events() {
            return new CommandsWebTest.Events();
        }

        @Bean
        @ElasticJob(name = "orders", cron = "0 0 0 1 1 ?", timeZone = "UTC", shardingTotalCount = 3)
        SimpleJob orders() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "doomed", cron = "0 0 0 1 1 ?")
        SimpleJob doomed() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "other", cron = "0 0 0 1 1 ?")
        SimpleJob other() {
            return context -> {};
        }
    }
}
