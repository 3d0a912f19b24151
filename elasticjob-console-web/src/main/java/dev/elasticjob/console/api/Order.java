package dev.elasticjob.console.api;

import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.BackfillRequest;
import dev.elasticjob.admin.command.CancelRequest;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.CommandBody;
import dev.elasticjob.console.web.InvalidRequestException;
import dev.elasticjob.console.web.InvalidRequestException.Violation;
import dev.elasticjob.console.web.Route.Call;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A command as the caller gives it. Its values have been checked.
 *
 * @param body of the call
 */
record Order(Call call, CommandBody body) {
    private static final int MOST_ITEMS = Integer.MAX_VALUE - 1;
    private static final int MOST_AT_ONCE = 16;
    private static final String DRY_RUN = "dryRun";

    /** One that takes a reason, and nothing else in its body. */
    static Order of(Call call) {
        return of(call, List.of());
    }

    /**
     * The order of a call.
     *
     * @param values that it takes, besides a reason
     * @throws InvalidRequestException with each value that can't be used, and each that it doesn't take
     */
    static Order of(Call call, List<OrderValue> values) {
        Order order = new Order(call, call.body());
        List<OrderValue> all =
                Stream.concat(values.stream(), Stream.of(OrderValue.REASON)).toList();
        List<Violation> violations = new ArrayList<>();
        all.forEach(value -> violations.addAll(order.violations(value.name(), value.check())));
        violations.addAll(order.violations(DRY_RUN, Order::isDryRun));
        Set<String> known = all.stream().map(OrderValue::name).collect(Collectors.toCollection(TreeSet::new));
        violations.addAll(order.body.others(known));
        call.parameters().forEach((name, value) -> {
            if (!name.equals(DRY_RUN)) {
                violations.add(new Violation(name, value, "no such parameter: this command takes only " + DRY_RUN));
            }
        });
        if (!violations.isEmpty()) {
            throw new InvalidRequestException(violations);
        }
        return order;
    }

    private List<Violation> violations(String name, Consumer<Order> check) {
        try {
            check.accept(this);
            return List.of();
        } catch (InvalidRequestException e) {
            return e.violations();
        } catch (IllegalArgumentException e) {
            return List.of(new Violation(name, body.shown(name), String.valueOf(e.getMessage())));
        }
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
        String value = call.parameter(DRY_RUN);
        if (!value.isEmpty() && !value.equals("true") && !value.equals("false")) {
            throw InvalidRequestException.of(DRY_RUN, value, "expected true or false");
        }
        return value.equals("true");
    }

    RunRequest run() {
        return new RunRequest(body.required("runId"), parameter(), items());
    }

    String parameter() {
        return RunRequest.withParameter(body.text("parameter").orElse("")).parameter();
    }

    /** The firing or run whose failed items run again; empty for a new run. */
    Optional<String> again() {
        Optional<String> again = body.name("again");
        if (again.isPresent()) {
            List<Violation> violations = new ArrayList<>();
            for (String items : List.of("item", "items")) {
                if (body.has(items)) {
                    violations.add(new Violation(
                            items, body.shown(items), "expected no items with again: those that failed run again"));
                }
            }
            if (body.has("parameter")) {
                violations.add(new Violation(
                        "parameter",
                        body.shown("parameter"),
                        "expected none with again: the items keep that of their run"));
            }
            if (!violations.isEmpty()) {
                throw new InvalidRequestException(violations);
            }
        }
        return again;
    }

    BackfillRequest backfill() {
        Map<String, Instant> range = body.times("from", "until");
        return new BackfillRequest(
                range.getOrDefault("from", Instant.EPOCH), range.getOrDefault("until", Instant.EPOCH), atOnce());
    }

    int atOnce() {
        return body.number("atOnce", 1, 1, MOST_AT_ONCE);
    }

    CancelRequest cancellation() {
        return new CancelRequest(items(), body.name("runId"));
    }

    /** Those of the body, as "item" or as "items"; empty for all. */
    NavigableSet<Integer> items() {
        NavigableSet<Integer> items = new TreeSet<>(severalItems());
        oneItem().ifPresent(items::add);
        return items;
    }

    /** For a command that isn't for all of them. */
    Optional<Integer> requiredItem() {
        if (!body.has("item") && !body.has("items")) {
            throw InvalidRequestException.of("item", "", "expected item or items");
        }
        return oneItem();
    }

    Optional<Integer> oneItem() {
        if (body.has("item") && body.has("items")) {
            throw InvalidRequestException.of("item", body.shown("item"), "expected either item or items");
        }
        return body.has("item") ? Optional.of(body.item("item")) : Optional.empty();
    }

    Set<Integer> severalItems() {
        return body.has("items") ? body.items("items") : Set.of();
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
