package dev.elasticjob.spring.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.GreenMailUtil;
import com.icegreen.greenmail.util.ServerSetup;
import com.sun.net.httpserver.HttpServer;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import dev.elasticjob.testing.Heard;
import dev.elasticjob.testing.LoggedLines;
import dev.elasticjob.testing.Opened;
import jakarta.mail.internet.MimeMessage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.mail.autoconfigure.MailSenderAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The handlers as beans, with a mail server and a web server on loopback. */
class AlertAutoConfigurationTest {
    private static final RuntimeException FAILURE = new IllegalStateException("no stock 缺货");

    @RegisterExtension
    final Opened opened = new Opened();

    private final Heard<String> posted = new Heard<>();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    ElasticJobAutoConfiguration.class,
                    AlertAutoConfiguration.class,
                    MailSenderAutoConfiguration.class));

    @Test
    void withoutAnAddressThereIsNoHandler() {
        runner.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JobErrorHandler.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mail.to", "webhook.url", "slack.url", "dingtalk.url", "wechat.url", "feishu.url"})
    void anAddressThatIsEmptyIsNone(String address) {
        runner.withPropertyValues("elasticjob.alerts." + address + "=", "spring.mail.host=127.0.0.1")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JobErrorHandler.class));
    }

    /** As a list in YAML is. */
    @Test
    void recipientsMayBeAList() {
        runner.withPropertyValues(
                        "elasticjob.alerts.mail.to[0]=ops@shop.example",
                        "elasticjob.alerts.mail.to[1]=night@shop.example",
                        "elasticjob.alerts.mail.from=jobs@shop.example",
                        "spring.mail.host=127.0.0.1")
                .run(context -> assertThat(context).hasNotFailed().hasBean("EMAIL"));
    }

    @Test
    void anApplicationThatExcludesTheStarterStartsWithoutHandlers() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(AlertAutoConfiguration.class))
                .withPropertyValues("elasticjob.alerts.slack.url=https://hooks.example/1")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JobErrorHandler.class));
    }

    @Test
    void aMailHasTheFailureAndItsStackTrace() throws Exception {
        var server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        server.start();
        opened.add(server::stop);
        runner.withPropertyValues(
                        "spring.mail.host=127.0.0.1",
                        "spring.mail.port=" + server.getSmtp().getPort(),
                        "elasticjob.alerts.timeout=60s",
                        "elasticjob.alerts.mail.to=ops@shop.example,night@shop.example",
                        "elasticjob.alerts.mail.cc=boss@shop.example",
                        "elasticjob.alerts.mail.from=jobs@shop.example")
                .run(context -> handler(context.getBean("EMAIL")).handleException(new Failed("orders", 3), FAILURE));

        assertThat(server.getReceivedMessages())
                .as("one for each recipient, sent before the application has ended")
                .hasSize(3);
        MimeMessage mail = server.getReceivedMessages()[0];
        assertThat(mail.getSubject())
                .isEqualTo("Job \"orders\": item 3 failed (run \"orders@2026-03-01T12:00:00Z\", attempt 2)");
        assertThat(mail.getAllRecipients()).hasSize(3);
        assertThat(mail.getFrom()[0]).hasToString("jobs@shop.example");
        assertThat(String.valueOf(mail.getContent()))
                .contains("no stock 缺货", "\tat dev.elasticjob.spring.alert.AlertAutoConfigurationTest");
        assertThat(GreenMailUtil.getHeaders(mail)).contains("UTF-8");
    }

    @Test
    void aWebhookIsPostedJson() {
        String url = server(200, "{\"errcode\":0}");
        runner.withPropertyValues(
                        "elasticjob.alerts.webhook.url=" + url,
                        "elasticjob.alerts.webhook.headers.Authorization=Bearer s3cret",
                        "elasticjob.alerts.dingtalk.url=" + url,
                        "elasticjob.alerts.dingtalk.secret=SECabc",
                        "elasticjob.alerts.dingtalk.prefix=ElasticJob")
                .run(context -> {
                    handler(context.getBean("WEBHOOK")).handleException(new Failed("orders", 3), FAILURE);
                    handler(context.getBean("DINGTALK")).handleException(new Failed("orders", 3), FAILURE);
                    posted.await("two messages", all -> all.size() == 2);
                });

        assertThat(posted.all())
                .anyMatch(message ->
                        message.startsWith("POST /robot?token=t0ken Bearer s3cret {\"job\":\"orders\",\"item\":3,")
                                && message.contains("no stock 缺货"))
                .anyMatch(message -> message.startsWith("POST /robot?token=t0ken&timestamp=")
                        && message.contains("&sign=")
                        && message.contains("{\"content\":\"ElasticJob Job \\\"orders\\\": item 3 failed"));
    }

    @Test
    void aRefusalIsLoggedWithoutTheSecrets() {
        LoggedLines log = opened.add(new LoggedLines());
        String refusing = server(200, "{\"errcode\":310000,\"errmsg\":\"no SECabc\"}");
        String failing = server(500, "");
        runner.withPropertyValues(
                        "elasticjob.alerts.dingtalk.url=" + refusing,
                        "elasticjob.alerts.dingtalk.secret=SECabc",
                        "elasticjob.alerts.slack.url=" + failing,
                        "elasticjob.alerts.feishu.url=http://127.0.0.1:1/t0ken")
                .run(context -> {
                    for (String name : new String[] {"DINGTALK", "SLACK", "FEISHU"}) {
                        handler(context.getBean(name)).handleException(new Failed("orders", 3), FAILURE);
                    }
                    log.await("\"DINGTALK\" could not send");
                    log.await("\"SLACK\" could not send");
                    log.await("\"FEISHU\" could not send");
                });

        assertThat(log.all())
                .anyMatch(line -> line.contains("errcode 310000: no …"))
                .anyMatch(line -> line.contains("status 500"))
                .noneMatch(line -> line.contains("t0ken"))
                .noneMatch(line -> line.contains("SECabc"));
    }

    @Test
    void aWebhookThatHangsHoldsUpNeitherTheItemNorAnotherHandler() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        HttpServer hanging = httpServer();
        hanging.createContext("/", exchange -> {
            await(release);
            exchange.close();
        });
        String url = server(200, "ok");
        try {
            runner.withPropertyValues(
                            "elasticjob.alerts.timeout=60s",
                            "elasticjob.alerts.webhook.url=http://127.0.0.1:"
                                    + hanging.getAddress().getPort() + "/",
                            "elasticjob.alerts.slack.url=" + url)
                    .run(context -> {
                        handler(context.getBean("WEBHOOK")).handleException(new Failed("orders", 3), FAILURE);
                        handler(context.getBean("SLACK")).handleException(new Failed("orders", 3), FAILURE);

                        posted.await("the other message", all -> all.size() == 1);
                        release.countDown();
                    });
        } finally {
            release.countDown();
        }
    }

    @Test
    void anAddressThatIsNoneFailsTheStartWithoutShowingIt() {
        runner.withPropertyValues("elasticjob.alerts.slack.url=hooks/t0ken").run(context -> {
            assertThat(context).getFailure().satisfies(saying("\"elasticjob.alerts.slack.url\""));
            assertThat(context)
                    .getFailure()
                    .hasStackTraceContaining("slack")
                    .satisfies(failure -> assertThat(failure).asString().doesNotContain("t0ken"));
        });
    }

    @Test
    void mailWithoutAServerSaysWhatIsMissing() {
        runner.withPropertyValues("elasticjob.alerts.mail.to=ops@shop.example")
                .run(context -> assertThat(context).getFailure().satisfies(saying("no JavaMailSender")));
    }

    @Test
    void withoutMailOnTheClassPathNothingOfItIsLoaded() {
        var without = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(ElasticJobAutoConfiguration.class, AlertAutoConfiguration.class))
                .withClassLoader(new FilteredClassLoader("org.springframework.mail", "jakarta.mail"));

        without.withPropertyValues("elasticjob.alerts.slack.url=https://hooks.example/t0ken")
                .run(context -> assertThat(context).hasNotFailed().hasBean("SLACK"));
        without.withPropertyValues("elasticjob.alerts.mail.to=ops@shop.example")
                .run(context -> assertThat(context).getFailure().satisfies(saying("no support for mails")));
    }

    @Test
    void aHandlerOfTheApplicationsReplacesOurs() {
        runner.withPropertyValues("elasticjob.alerts.slack.url=https://hooks.example/t0ken")
                .withBean("SLACK", JobErrorHandler.class, () -> (job, cause) -> {})
                .run(context -> assertThat(context.getBean("SLACK")).isNotInstanceOf(AlertErrorHandler.class));
    }

    private static JobErrorHandler handler(Object bean) {
        return (JobErrorHandler) bean;
    }

    /** Answers always the same, and notes what it is sent. */
    private String server(int status, String answer) {
        HttpServer server = httpServer();
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            posted.add("%s %s %s %s"
                    .formatted(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI(),
                            exchange.getRequestHeaders().getFirst("Authorization"),
                            body));
            byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/robot?token=t0ken";
    }

    private HttpServer httpServer() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(Executors.newCachedThreadPool());
            server.start();
            opened.add(() -> server.stop(0));
            return server;
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ThrowingConsumer<Throwable> saying(String description) {
        return failure -> {
            Throwable cause = failure;
            while (!(cause instanceof FailureAnalyzedException) && cause.getCause() != null) {
                cause = cause.getCause();
            }
            assertThat(cause)
                    .isInstanceOfSatisfying(
                            FailureAnalyzedException.class,
                            analyzed -> assertThat(analyzed.analysis().getDescription())
                                    .contains(description));
        };
    }
}
