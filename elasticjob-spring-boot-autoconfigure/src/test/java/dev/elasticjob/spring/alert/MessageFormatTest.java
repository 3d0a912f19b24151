package dev.elasticjob.spring.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.json.JsonParserFactory;

/** The signatures were computed with another tool. */
class MessageFormatTest {
    private static final URI HOOK = URI.create("https://hooks.example/robot?access_token=t0ken");

    @Test
    void programsGetAllThatIsKnown() {
        Map<String, Object> body = json(
                MessageFormat.GENERIC.message(HOOK, Failed.alert("no stock").withMore(4), "", null));

        assertThat(body)
                .containsEntry("job", "orders")
                .containsEntry("item", 3)
                .containsEntry("runId", "orders@2026-03-01T12:00:00Z")
                .containsEntry("attempt", 2)
                .containsEntry("scheduledTime", "2026-03-01T12:00:00Z")
                .containsEntry("time", "2026-03-01T12:00:00Z")
                .containsEntry("failure", "java.lang.IllegalStateException: no stock")
                .containsEntry("moreFailures", 4);
        assertThat(String.valueOf(body.get("stackTrace"))).contains("\tat dev.elasticjob.spring.alert.Failed");
    }

    @Test
    void aFailureThatIsNoItemsHasNone() {
        Alert alert = Alert.of("orders", new IllegalStateException("clock"), Failed.NOON);

        assertThat(json(MessageFormat.GENERIC.message(HOOK, alert, "", null)))
                .containsEntry("item", null)
                .containsEntry("failure", "java.lang.IllegalStateException: clock");
        assertThat(String.valueOf(
                        json(MessageFormat.SLACK.message(HOOK, alert, "", null)).get("text")))
                .startsWith("Job \"orders\": failed\njava.lang.IllegalStateException: clock");
    }

    @Test
    void slackGetsAText() {
        Message message =
                MessageFormat.SLACK.message(HOOK, Failed.alert("no stock").withMore(4), "[prod] ", null);

        assertThat(message.uri()).isEqualTo(HOOK);
        assertThat(String.valueOf(json(message).get("text"))).startsWith("""
                        [prod] Job "orders": item 3 failed (run "orders@2026-03-01T12:00:00Z", attempt 2)
                        java.lang.IllegalStateException: no stock
                        4 more failures of this job since the last message

                        java.lang.IllegalStateException: no stock
                        \tat""");
    }

    @Test
    void dingTalkGetsATextThatIsSignedInTheAddress() {
        Message message = MessageFormat.DINGTALK.message(HOOK, Failed.alert("no stock"), "", "SECabc");

        assertThat(message.uri())
                .hasToString(HOOK + "&timestamp=1772366400000&sign=Ra18fU6%2FgbpNodmL39RUa0vAnnHQfdeIClj5nPQv8mA%3D");
        assertThat(json(message)).containsEntry("msgtype", "text");
        assertThat(content(message, "text")).containsOnlyKeys("content");
        assertThat(MessageFormat.DINGTALK
                        .message(HOOK, Failed.alert("no stock"), "", null)
                        .uri())
                .isEqualTo(HOOK);
    }

    @Test
    void feishuGetsATextThatIsSignedInTheBody() {
        Message message = MessageFormat.FEISHU.message(HOOK, Failed.alert("no stock"), "", "SECabc");

        assertThat(message.uri()).isEqualTo(HOOK);
        assertThat(json(message))
                .containsEntry("timestamp", "1772366400")
                .containsEntry("sign", "krSzWL+ZnBQeZ+mq8+1yCJDMJXY5M+qaUqbmJw+e2Hk=")
                .containsEntry("msg_type", "text");
        assertThat(content(message, "content")).containsOnlyKeys("text");
        assertThat(json(MessageFormat.FEISHU.message(HOOK, Failed.alert("no stock"), "", null)))
                .doesNotContainKeys("timestamp", "sign");
    }

    @Test
    void weComGetsNoMoreThanItTakes() {
        Message message = MessageFormat.WECHAT.message(HOOK, Failed.alert("订".repeat(5_000)), "", null);

        String text = String.valueOf(content(message, "text").get("content"));
        assertThat(text).startsWith("Job \"orders\"").endsWith("订…");
        assertThat(text.getBytes(StandardCharsets.UTF_8).length).isBetween(1_500, 2_048);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DINGTALK | {\"errcode\":0,\"errmsg\":\"ok\"} | ",
                "DINGTALK | {\"errcode\":310000,\"errmsg\":\"sign not match\"} | errcode 310000: sign not match",
                "WECHAT | {\"errcode\":93000,\"errmsg\":\"invalid webhook url\"} | errcode 93000: invalid webhook url",
                "FEISHU | {\"code\":0,\"msg\":\"success\"} | ",
                "FEISHU | {\"StatusCode\":0,\"StatusMessage\":\"success\"} | ",
                "FEISHU | {\"code\":19021,\"msg\":\"sign match fail\"} | code 19021: sign match fail",
                "FEISHU | <html> | the answer is no JSON",
                "SLACK | ok | ",
                "GENERIC | whatever | "
            })
    void aSuccessfulStatusMayBeARefusal(MessageFormat format, String answer, String refusal) {
        assertThat(format.refusal(answer).orElse(null)).isEqualTo(refusal);
    }

    private static Map<String, Object> json(Message message) {
        return JsonParserFactory.getJsonParser().parseMap(message.body());
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> content(Message message, String key) {
        return (Map<String, Object>) json(message).get(key);
    }
}
