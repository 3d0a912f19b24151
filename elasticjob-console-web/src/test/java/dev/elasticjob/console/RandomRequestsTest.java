package dev.elasticjob.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.web.ConsoleResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever a browser sends, it is no error of the server. */
class RandomRequestsTest {
    private static final int REQUESTS = 100_000;
    private static final String ALPHABET = "ab0.-_~%/;?#&=+ \\\"'<>:@[]{}|^`\u0000\n\r\t账é\uD83D\uDE00\uDC00";
    private static final List<String> PLACES = List.of(
            "%s",
            "/%s",
            "/assets/%s/%s",
            "/api/v1/registries/%s/jobs",
            "/api/v1/registries/default/jobs?search=%s&state=&after=%s",
            "/api/v1/registries/default/jobs?state=%s",
            "/api/v1/registries/default/jobs/%s",
            "/api/v1/registries/default/jobs/%s/items?from=%s",
            "/api/v1/registries/default/jobs/%s/items/0/explanation",
            "/api/v1/registries/default/jobs/orders/items/%s/explanation",
            "/api/v1/registries/default/jobs/%s/next?count=%s",
            "/api/v1/registries/default/jobs/%s/definition",
            "/api/v1/registries/default/jobs/%s/tree");

    private final ManyJobs console = ManyJobs.forEveryUser();
    private final Random random = new Random(17);

    @Test
    void noRequestFailsTheServer() {
        console.write("orders");

        for (int request = 0; request < REQUESTS; request++) {
            String address = PLACES.get(random.nextInt(PLACES.size())).replace("%s", segment());
            Map<String, String> headers = random.nextBoolean()
                    ? Map.of()
                    : Map.of("if-none-match", "\"" + text() + "\"", "prefer", text() + "wait=" + random.nextInt(3));
            var answer = console.ask("GET", address, headers, ManyJobs.VIEWER);
            if (!answer.isDone()) {
                console.time.advance(Duration.ofSeconds(10));
            }
            ConsoleResponse response = answer.join();
            assertThat(response.status()).as(address).isLessThan(500);
            if (request % 1_000 == 0) {
                console.time.advance(Duration.ofMinutes(2));
            }
        }
    }

    @Test
    void everyNameCanBeAskedFor() {
        for (String name : List.of("账单 50%; <b>&amp;", "a b", "%2e", "~x", "..x", "ü?#")) {
            console.write(name);

            String segment =
                    "~" + Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(StandardCharsets.UTF_8));
            ConsoleResponse response =
                    console.ask(ManyJobs.JOBS + "/" + segment + "/definition").join();

            assertThat(response.status()).as(name).isEqualTo(200);
            assertThat(new String(response.body(), StandardCharsets.UTF_8)).contains("0 0 4 * * ?");
        }
    }

    private String segment() {
        String text = text();
        return switch (random.nextInt(4)) {
            case 0 ->
                "~" + Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
            case 1 -> "~" + text;
            case 2 -> Integer.toString(random.nextInt());
            default -> text;
        };
    }

    private String text() {
        return IntStream.range(0, random.nextInt(12))
                .mapToObj(any -> String.valueOf(ALPHABET.charAt(random.nextInt(ALPHABET.length()))))
                .collect(Collectors.joining());
    }
}
