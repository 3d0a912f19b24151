package dev.elasticjob.spring.alert;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.json.JsonWriter;

/** What a kind of webhook wants to be sent, and how it says that it has accepted it. Pure functions. */
enum MessageFormat {
    /** An object with all that is known, for programs. */
    GENERIC {
        @Override
        Message message(URI uri, Alert alert, String prefix, @Nullable String secret) {
            Map<String, @Nullable Object> body = new LinkedHashMap<>();
            body.put("job", alert.jobName());
            body.put("item", alert.execution().map(Alert.Execution::item).orElse(null));
            body.put("runId", alert.execution().map(Alert.Execution::runId).orElse(null));
            body.put("attempt", alert.execution().map(Alert.Execution::attempt).orElse(null));
            body.put(
                    "scheduledTime",
                    alert.execution()
                            .map(failed -> failed.scheduledTime().toString())
                            .orElse(null));
            body.put("time", alert.at().toString());
            body.put("failure", alert.failureText());
            body.put("stackTrace", alert.stackTrace());
            body.put("moreFailures", alert.more());
            return new Message(uri, json(body));
        }
    },
    SLACK {
        @Override
        Message message(URI uri, Alert alert, String prefix, @Nullable String secret) {
            return new Message(uri, json(Map.of("text", prefix + text(alert, 30_000))));
        }
    },
    /** With a secret, the request has the time, and a signature of the time and the secret. */
    DINGTALK {
        @Override
        Message message(URI uri, Alert alert, String prefix, @Nullable String secret) {
            return new Message(
                    signed(uri, alert, secret), chat("msgtype", "text", "content", prefix + text(alert, 15_000)));
        }

        private URI signed(URI uri, Alert alert, @Nullable String secret) {
            if (secret == null) {
                return uri;
            }
            String time = String.valueOf(alert.at().toEpochMilli());
            String sign = hmac(secret, time + "\n" + secret);
            return URI.create(uri + (uri.getRawQuery() == null ? "?" : "&") + "timestamp=" + time + "&sign="
                    + URLEncoder.encode(sign, StandardCharsets.UTF_8));
        }

        @Override
        Optional<String> refusal(String answer) {
            return unlessZero(answer, "errcode", "errmsg");
        }
    },
    /** WeCom. */
    WECHAT {
        @Override
        Message message(URI uri, Alert alert, String prefix, @Nullable String secret) {
            return new Message(uri, chat("msgtype", "text", "content", prefix + text(alert, 1_900)));
        }

        @Override
        Optional<String> refusal(String answer) {
            return unlessZero(answer, "errcode", "errmsg");
        }
    },
    /** With a secret, the body has the time, and a signature whose key is the time and the secret. */
    FEISHU {
        @Override
        Message message(URI uri, Alert alert, String prefix, @Nullable String secret) {
            Map<String, @Nullable Object> body = new LinkedHashMap<>();
            if (secret != null) {
                String time = String.valueOf(alert.at().getEpochSecond());
                body.put("timestamp", time);
                body.put("sign", hmac(time + "\n" + secret, ""));
            }
            body.put("msg_type", "text");
            body.put("content", Map.of("text", prefix + text(alert, 15_000)));
            return new Message(uri, json(body));
        }

        @Override
        Optional<String> refusal(String answer) {
            return unlessZero(answer, "code", "msg");
        }
    };

    /**
     * The request for an alert.
     *
     * @param prefix stands in front of a text for people
     * @param secret signs the request, where the format knows signatures
     */
    abstract Message message(URI uri, Alert alert, String prefix, @Nullable String secret);

    /** Why the message was refused although the status is a success; empty if it was accepted. */
    Optional<String> refusal(String answer) {
        return Optional.empty();
    }

    private static Optional<String> unlessZero(String answer, String code, String text) {
        try {
            Map<String, Object> parsed = JsonParserFactory.getJsonParser().parseMap(answer);
            Object found = parsed.get(code);
            boolean accepted = found == null || String.valueOf(found).equals("0");
            return accepted ? Optional.empty() : Optional.of("%s %s: %s".formatted(code, found, parsed.get(text)));
        } catch (JsonParseException e) {
            return Optional.of("the answer is no JSON");
        }
    }

    private static String chat(String typeKey, String type, String textKey, String text) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put(typeKey, type);
        body.put(type, Map.of(textKey, text));
        return json(body);
    }

    /** For people, as much of the stack trace as fits. */
    private static String text(Alert alert, int mostBytes) {
        String all = alert.title() + "\n" + alert.summary() + "\n\n" + alert.stackTrace();
        int end = Math.min(all.length(), mostBytes);
        while (all.substring(0, end).getBytes(StandardCharsets.UTF_8).length > mostBytes) {
            end -= Math.max(1, end / 50);
        }
        if (end < all.length() && Character.isHighSurrogate(all.charAt(end - 1))) {
            end--;
        }
        return end == all.length() ? all : all.substring(0, end) + "…";
    }

    private static String json(Map<String, ? extends @Nullable Object> body) {
        return JsonWriter.<Map<String, ? extends @Nullable Object>>standard().writeToString(body);
    }

    private static String hmac(String key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256", e);
        }
    }
}
