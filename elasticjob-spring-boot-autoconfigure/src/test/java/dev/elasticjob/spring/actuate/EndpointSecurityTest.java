package dev.elasticjob.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** The endpoint behind Spring Security's real filter chain, as docs/security.md configures it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EndpointSecurityTest {
    private static final String PASSWORD = "s3cret";

    private ConfigurableApplicationContext application;

    @BeforeAll
    void start() {
        application = new SpringApplication(Shop.class)
                .run(
                        "--server.port=0",
                        "--spring.autoconfigure.exclude=",
                        "--management.endpoints.web.exposure.include=elasticjob",
                        "--management.endpoint.elasticjob.access=unrestricted");
    }

    @AfterAll
    void stop() {
        application.close();
    }

    @ParameterizedTest
    @CsvSource({
        "GET, '', 401, 200, 200",
        "GET, /orders, 401, 200, 200",
        "GET, /orders/explain/0, 401, 200, 200",
        "GET, /orders/definition, 401, 200, 200",
        "POST, /orders/disable-item, 401, 403, 200",
        "POST, /orders/enable-item, 401, 403, 200"
    })
    void readersReadAndOperatorsOperate(String method, String path, int anonymous, int reader, int operator)
            throws Exception {
        assertThat(status(method, path, null)).isEqualTo(anonymous);
        assertThat(status(method, path, "reader")).isEqualTo(reader);
        assertThat(status(method, path, "operator")).isEqualTo(operator);
    }

    @Test
    void theActorOfACommandIsTheUser() throws Exception {
        List<JobEvent> events = application.getBean(Heard.class).events;

        assertThat(send("POST", "/orders/disable-server", "reader").statusCode())
                .isEqualTo(403);
        HttpResponse<String> answer = send("POST", "/orders/trigger", "operator");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"actor\":\"operator\"");
        assertThat(events)
                .filteredOn(JobEvent.CommandEnded.class::isInstance)
                .isNotEmpty()
                .allSatisfy(command ->
                        assertThat(((JobEvent.CommandEnded) command).actor()).isEqualTo("operator"));
    }

    @Test
    void thePageShowsThisConfiguration() throws Exception {
        String source =
                Files.readString(Path.of("src/test/java/dev/elasticjob/spring/actuate/EndpointSecurityTest.java"));
        String configuration = source.substring(
                        source.lastIndexOf("        SecurityFilterChain elasticJobEndpointSecurity"))
                .stripTrailing();
        String method = configuration.substring(0, configuration.indexOf("\n        }") + "\n        }".length());

        assertThat(Files.readString(Path.of("..", "docs", "security.md")))
                .contains(method.indent(-8).strip());
    }

    private int status(String method, String path, String user) throws Exception {
        return send(method, path, user).statusCode();
    }

    private HttpResponse<String> send(String method, String path, String user) throws Exception {
        String port = application.getEnvironment().getProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + port + "/actuator/elasticjob" + path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(method.equals("GET") ? "" : "{\"item\": 1}"));
        if (user != null) {
            byte[] credentials = (user + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
        }
        return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    static final class Heard implements JobEventListener {
        final List<JobEvent> events = new CopyOnWriteArrayList<>();

        @Override
        public void onEvent(JobEvent event) {
            events.add(event);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({OnMemory.class, EndpointSecurity.class})
    static class Shop {
        @Bean
        Heard heard() {
            return new Heard();
        }

        @Bean
        @ElasticJob(name = "orders", cron = "0 0 0 1 1 ?", shardingTotalCount = 3)
        SimpleJob orders() {
            return context -> {};
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(user("reader", "READER"), user("operator", "READER", "OPERATOR"));
        }

        private static UserDetails user(String name, String... roles) {
            return User.withUsername(name)
                    .password("{noop}" + PASSWORD)
                    .roles(roles)
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class EndpointSecurity {
        @Bean
        SecurityFilterChain elasticJobEndpointSecurity(HttpSecurity http) throws Exception {
            return http.securityMatcher(EndpointRequest.to("elasticjob"))
                    .authorizeHttpRequests(requests -> requests.requestMatchers(
                                    EndpointRequest.to("elasticjob").withHttpMethod(HttpMethod.GET))
                            .hasRole("READER")
                            .anyRequest()
                            .hasRole("OPERATOR"))
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }
}
