package dev.elasticjob.admin.table;

import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.DataLossCommands;
import dev.elasticjob.admin.command.RunRequest;
import dev.elasticjob.coordination.run.Backfill;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * The arguments of all commands. What a request of {@code admin.command} checks itself is asked there; limits that nobody
 * else has stand here.
 */
final class CommandArguments {
    private static final String NO_BLANK = "expected a text that isn't blank";

    // ------------------------------------------------------------------ of every command

    static final Argument<String> REASON = text("reason")
            .orElse("")
            .checkedBy(text -> Actor.UNKNOWN.because(text).reason().orElse(""))
            .shapedAs("reason", "$ref", "#/components/schemas/Reason");

    /** Not of a source that is asked for it in another way. */
    static final Argument<Boolean> DRY_RUN = new Argument<>(
                    List.of("dryRun"),
                    source -> source.text("dryRun").map(CommandArguments::flag),
                    "expected true or false")
            .orElse(false)
            .shapedAs("dryRun", "type", "boolean")
            .says("check the values, and answer what would follow");

    // ------------------------------------------------------------------ runs

    static final Argument<String> NEW_RUN = newRun("runId");

    /** The id of the run that repeats another one. */
    static final Argument<String> REPETITION = newRun("newRunId");

    static final Argument<String> FAILED_RUN = name("runId").required().says("the run whose failed items run again");

    static final Argument<String> RUN =
            name("runId").says("a firing or manual run; without it, whatever the items execute");

    static final Argument<String> PARAMETER = text("parameter")
            .orElse("")
            .checkedBy(text -> RunRequest.withParameter(text).parameter())
            .shapedAs("parameter", "type", "string", "maxLength", 512)
            .says("for the code of the job, as the context's run parameter");

    static final Argument<Instant> FROM = time("from").required().says("included");

    static final Argument<Instant> UNTIL = time("until").required().says("included");

    static final Argument<Integer> AT_ONCE =
            number("atOnce", 1, Backfill.MOST_AT_ONCE, 1).says("how many of the times may be under way");

    // ------------------------------------------------------------------ what is meant

    static final Argument<NavigableSet<Integer>> SOME_ITEMS = items().orElse(Collections.emptyNavigableSet())
            .says("only this item", "only these items; without item and items all of them");

    static final Argument<NavigableSet<Integer>> ITEMS =
            items().required().says("this item", "these items; either item or items is required");

    static final Argument<String> SERVER = name("server").required().says("the address of the server");

    static final Argument<String> INSTANCE = name("instance").required().says("the id of the instance");

    static final Argument<String> APP =
            name("app").required().says("the cluster's namespace and the application's name, with a dot between them");

    static final Argument<Long> ABOVE = number("above", 0, DataLossCommands.HIGHEST_TOKEN, Function.identity())
            .required()
            .shapedAs(
                    "above",
                    "type",
                    "integer",
                    "format",
                    "int64",
                    "minimum",
                    0,
                    "maximum",
                    DataLossCommands.HIGHEST_TOKEN)
            .says("the highest fencing token that any storage has seen");

    // ------------------------------------------------------------------ settings

    static final Argument<String> VERSION = name("version", "expected the version of the settings that you have seen")
            .required()
            .says("the version of the settings that the caller has seen");

    static final Argument<Map<String, Object>> NEW_SETTINGS =
            settings().says("those that are missing have their defaults");

    static final Argument<Map<String, Object>> SETTINGS =
            settings().says("only what changes; within a group, null removes a member");

    static final Argument<Map<String, Object>> CORRECTIONS =
            settings().says("for at least each setting that can't be used or is missing");

    private CommandArguments() {}

    // ------------------------------------------------------------------ kinds of arguments

    private static Argument<String> text(String name) {
        return new Argument<>(List.of(name), source -> source.text(name), "expected a text");
    }

    private static Argument<String> name(String name) {
        return name(name, NO_BLANK);
    }

    /** A text that isn't blank. */
    private static Argument<String> name(String name, String expected) {
        return new Argument<>(List.of(name), source -> source.text(name).map(CommandArguments::notBlank), expected)
                .shapedAs(name, "type", "string");
    }

    private static String notBlank(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException(NO_BLANK);
        }
        return text.strip();
    }

    private static Argument<String> newRun(String name) {
        return text(name)
                .chosenByCallersOr(() -> UUID.randomUUID().toString())
                .checkedBy(text -> new RunRequest(text, "").runId())
                .shapedAs(name, "type", "string")
                .says("chosen by the caller; a repetition is the same run");
    }

    private static Argument<Integer> number(String name, int least, int most, int standard) {
        return number(name, least, most, Math::toIntExact)
                .orElse(standard)
                .shapedAs(name, "type", "integer", "minimum", least, "maximum", most, "default", standard);
    }

    /** @param narrowed the number as a value of the argument; it is within the limits then */
    private static <N> Argument<N> number(String name, long least, long most, Function<Long, N> narrowed) {
        String expected = "expected a number from %d to %d".formatted(least, most);
        return new Argument<>(
                List.of(name),
                source -> source.number(name).map(number -> {
                    if (number < least || number > most) {
                        throw new IllegalArgumentException(expected);
                    }
                    return narrowed.apply(number);
                }),
                expected);
    }

    private static Argument<Instant> time(String name) {
        return new Argument<>(List.of(name), source -> source.text(name).map(Argument::time), Argument.A_TIME)
                .shapedAs(name, "type", "string", "format", "date-time");
    }

    private static boolean flag(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("expected true or false");
        }
        return text.equals("true");
    }

    /** One or several, by either word. */
    private static Argument<NavigableSet<Integer>> items() {
        Map<String, Object> number = Argument.shape("type", "integer", "minimum", 0);
        return new Argument<>(
                        List.of("item", "items"),
                        source -> Optional.of(source.items("item", "items")),
                        "expected \"item\" or \"items\"")
                .shapedAs("item", "type", "integer", "minimum", 0)
                .shapedAs("items", "type", "array", "minItems", 1, "uniqueItems", true, "items", number);
    }

    private static Argument<Map<String, Object>> settings() {
        return new Argument<>(List.of("settings"), source -> source.settings("settings"), "expected settings")
                .required()
                .shapedAs("settings", "type", "object");
    }
}
