package dev.elasticjob.console.api;

import dev.elasticjob.admin.RunRequest;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.run.BackfillRequest;
import dev.elasticjob.admin.run.CancelRequest;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.CommandBody;
import dev.elasticjob.console.web.InvalidRequestException;
import dev.elasticjob.console.web.Route.Call;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * A command as the caller gives it. Each value is checked when it is asked for.
 *
 * @param body of the call
 */
record Order(Call call, CommandBody body) {
    private static final int MOST_ITEMS = Integer.MAX_VALUE - 1;
    private static final int MOST_AT_ONCE = 16;

    static Order of(Call call) {
        return new Order(call, call.body());
    }

    String job() {
        return call.name("job");
    }

    int item() {
        return call.number("item", 0, 0, MOST_ITEMS);
    }

    String server() {
        return call.name("server");
    }

    String instance() {
        return call.name("instance");
    }

    /** Whether the caller only wants to know what would follow. */
    boolean isDryRun() {
        String value = call.parameter("dryRun");
        if (!value.isEmpty() && !value.equals("true") && !value.equals("false")) {
            throw InvalidRequestException.of("dryRun", value, "expected true or false");
        }
        return value.equals("true");
    }

    RunRequest run() {
        RunRequest run =
                new RunRequest(body.required("runId"), body.text("parameter").orElse(""));
        List<Integer> items = body.numbers("items");
        return items.isEmpty() ? run : run.ofItems(new TreeSet<>(items));
    }

    /** The firing or run whose failed items run again; empty for a new run. */
    Optional<String> again() {
        Optional<String> again = body.text("again").filter(text -> !text.isBlank());
        if (again.isPresent() && !body.numbers("items").isEmpty()) {
            throw InvalidRequestException.of("items", "", "expected no items: those that failed run again");
        }
        if (again.isPresent() && body.text("parameter").isPresent()) {
            throw InvalidRequestException.of("parameter", "", "expected none: the items keep that of their run");
        }
        return again;
    }

    BackfillRequest backfill() {
        Map<String, Instant> range = body.times("from", "until");
        return new BackfillRequest(
                range.getOrDefault("from", Instant.EPOCH),
                range.getOrDefault("until", Instant.EPOCH),
                body.number("atOnce", 1, 1, MOST_AT_ONCE));
    }

    CancelRequest cancellation() {
        List<Integer> items = body.numbers("items");
        if (items.size() > 1) {
            throw InvalidRequestException.of("items", items.toString(), "expected one item, or none for all");
        }
        return new CancelRequest(items.stream().findFirst(), body.text("runId"));
    }

    /** The version of the settings that the caller has seen. */
    String version() {
        return call.request()
                .header("if-match")
                .map(text -> text.strip().replaceAll("^\"|\"$", ""))
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> InvalidRequestException.of(
                        "If-Match", "", "expected the version of the settings that you have seen"));
    }

    /** The settings to change, and nothing else: what is masked is never written back. */
    Map<String, Object> settings() {
        return body.object("settings");
    }

    Actor actor() {
        return Actor.named(call.request().caller().map(Caller::name).orElse("anonymous"))
                .because(body.text("reason").orElse(""));
    }
}
