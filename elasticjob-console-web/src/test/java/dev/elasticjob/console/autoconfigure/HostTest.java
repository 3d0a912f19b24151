package dev.elasticjob.console.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.history.FailingHistory;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.ElasticJob;
import jakarta.servlet.Filter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/** An application that wraps all answers, renames JSON, answers every address, and whose filter rules out waiting. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostTest {
    private static final String JOBS = "/elasticjob/api/v1/registries/default/jobs";
    private static final String BASIC =
            "Basic " + Base64.getEncoder().encodeToString("mei:mei-password".getBytes(StandardCharsets.UTF_8));
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newHttpClient();
    private final ConfigurableApplicationContext host = new SpringApplication(Host.class)
            .run(
                    "--server.port=0",
                    "--spring.jackson.property-naming-strategy=SNAKE_CASE",
                    "--spring.security.user.name=mei",
                    "--spring.security.user.password=mei-password",
                    "--elasticjob.instance.ip=10.0.0.1");

    @AfterAll
    void stop() {
        host.getBean(Gate.class).open();
        host.close();
    }

    @Test
    void theHostsAdviceNamesAndViewsDoNotTouchTheConsole() throws Exception {
        assertThat(get("/anything").body()).contains("wrapped");

        assertThat(get(JOBS).body()).contains("\"nextFiring\"").doesNotContain("wrapped", "next_firing");
        assertThat(get("/elasticjob/").body()).contains("<div id=\"console\">");
        assertThat(get("/elasticjob/nothing").body()).contains("\"code\":\"UNKNOWN\"");
    }

    @Test
    void aFilterWithoutAsyncMeansThatNobodyIsHeld() throws Exception {
        HttpResponse<String> first = get(JOBS + "/orders");
        String tag = first.headers().firstValue("ETag").orElseThrow();

        long asked = System.nanoTime();
        HttpResponse<String> again = get(JOBS + "/orders", "If-None-Match", tag, "Prefer", "wait=20");

        assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(Duration.ofSeconds(20));
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.headers().firstValue("Content-Security-Policy")).isPresent();
    }

    @Test
    void aRegistryThatHangsChangesNoAnswerOfTheHost() throws Exception {
        Gate gate = host.getBean(Gate.class);
        gate.close();
        List<CompletableFuture<HttpResponse<String>>> waiting = IntStream.range(0, 20)
                .mapToObj(one -> client.sendAsync(
                        request(JOBS + "?search=" + one).build(), HttpResponse.BodyHandlers.ofString()))
                .toList();

        assertThat(get("/anything").body()).contains("wrapped");
        assertThat(waiting).noneMatch(CompletableFuture::isDone);

        gate.open();
        for (CompletableFuture<HttpResponse<String>> answer : waiting) {
            assertThat(answer.get(60, TimeUnit.SECONDS).statusCode()).isIn(200, 503);
        }
    }

    @Test
    void aConsoleThatThrowsChangesNoAnswerOfTheHostAndEndsNoJob() throws Exception {
        HttpResponse<String> broken = get(JOBS + "/orders/firings");

        assertThat(broken.statusCode()).isEqualTo(500);
        assertThat(broken.body()).contains("\"code\":\"FAILED\"").doesNotContain("of the console");
        assertThat(get("/anything").body()).contains("wrapped");
        var run = host.getBean(JobAdmin.class).run("orders", new RunRequest("afterwards", ""));
        assertThat(run.get(60, TimeUnit.SECONDS).runId()).isEqualTo("afterwards");
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = request(path);
        return client.send(
                (headers.length == 0 ? request : request.headers(headers)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        String port = host.getEnvironment().getProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .header("Authorization", BASIC)
                .timeout(LIMIT);
    }

    /** Lets the registry's answers through, or keeps them until it is open again. Thread-safe. */
    static final class Gate implements Executor {
        private final Executor open = new SimpleAsyncTaskExecutor("registry-");
        private final List<Runnable> kept = new ArrayList<>();
        private boolean closed;

        @Override
        public synchronized void execute(Runnable task) {
            if (closed) {
                kept.add(task);
            } else {
                open.execute(task);
            }
        }

        synchronized void close() {
            closed = true;
        }

        synchronized void open() {
            closed = false;
            kept.forEach(open::execute);
            kept.clear();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Host {
        @Bean
        Gate gate() {
            return new Gate();
        }

        @Bean
        Registry registry(Gate gate) {
            return new InMemoryRegistry(new InMemoryEnsemble(Clock.systemUTC()), gate);
        }

        @Bean
        @ElasticJob(name = "orders", cron = "0 0 4 1 1 ?")
        SimpleJob orders() {
            return context -> {};
        }

        @Bean
        FilterRegistrationBean<Filter> old() {
            var filter =
                    new FilterRegistrationBean<Filter>((request, response, chain) -> chain.doFilter(request, response));
            filter.setAsyncSupported(false);
            return filter;
        }

        @Bean
        ConsoleHistory history() {
            return new FailingHistory(() -> {
                throw new NoClassDefFoundError("a class of the console");
            });
        }

        @Bean
        Everything everything() {
            return new Everything();
        }

        @Bean
        Wrapping wrapping() {
            return new Wrapping();
        }
    }

    @RestController
    static class Everything {
        @GetMapping("/**")
        Map<String, String> everything() {
            return Map.of("hostAnswer", "yes");
        }
    }

    @ControllerAdvice
    static class Wrapping implements ResponseBodyAdvice<Object> {
        @Override
        public boolean supports(MethodParameter type, Class<? extends HttpMessageConverter<?>> converter) {
            return true;
        }

        @Override
        public Object beforeBodyWrite(
                @Nullable Object body,
                MethodParameter type,
                MediaType media,
                Class<? extends HttpMessageConverter<?>> converter,
                ServerHttpRequest request,
                ServerHttpResponse response) {
            return Map.of("wrapped", String.valueOf(body));
        }
    }
}
