package dev.elasticjob.console.web;

import dev.elasticjob.admin.table.ArgumentSource;
import dev.elasticjob.admin.table.InvalidArgumentsException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/**
 * The JSON object that a command comes with. An empty body is an empty object, and a field that is null has no value. A value
 * of another kind is an {@link IllegalArgumentException} that says what was expected. Thread-safe as long as nobody changes
 * it.
 */
public record CommandBody(JsonNode json) {
    private static final int MOST_SHOWN = 100;

    public Set<String> names() {
        return new LinkedHashSet<>(json.propertyNames());
    }

    /** Whether it has the field, even if its value is null. */
    public boolean has(String field) {
        return json.has(field);
    }

    /** The value of a field as JSON, for people; empty if there is none. */
    public String shown(String field) {
        String text = json.has(field) ? json.path(field).toString() : "";
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "…";
    }

    public Optional<String> text(String field) {
        return value(field, JsonNode::isString, "expected a text").map(JsonNode::stringValue);
    }

    public Optional<Long> number(String field) {
        return value(field, node -> node.isIntegralNumber() && node.canConvertToLong(), "expected a number")
                .map(JsonNode::longValue);
    }

    public Optional<Map<String, Object>> object(String field) {
        return value(field, JsonNode::isObject, "expected a JSON object").map(Json::map);
    }

    private Optional<JsonNode> value(String field, Predicate<JsonNode> fits, String expected) {
        JsonNode value = json.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!fits.test(value)) {
            throw new IllegalArgumentException(expected);
        }
        return Optional.of(value);
    }

    /**
     * One item, or several.
     *
     * @throws InvalidArgumentsException with each value that is no number of an item, or is there twice; also if there are
     *     both, or none at all
     */
    public NavigableSet<Integer> items(String one, String several) {
        NavigableSet<Integer> numbers = new TreeSet<>();
        List<Violation> violations = new ArrayList<>();
        if (has(one) && has(several)) {
            violations.add(new Violation(one, shown(one), ArgumentSource.ONE_OR_SEVERAL.formatted(one, several)));
        }
        if (has(one)) {
            add(one, json.path(one), numbers, violations);
        }
        JsonNode values = json.path(several);
        if (has(several) && (!values.isArray() || values.isEmpty())) {
            violations.add(new Violation(
                    several,
                    shown(several),
                    "expected a list of one or several numbers of items; for all items, leave it out"));
        } else {
            values.forEach(value -> add(several, value, numbers, violations));
        }
        if (!violations.isEmpty()) {
            throw new InvalidArgumentsException(several, violations);
        }
        return numbers;
    }

    private static void add(String field, JsonNode value, NavigableSet<Integer> numbers, List<Violation> violations) {
        if (!value.isInt() || value.intValue() < 0) {
            violations.add(new Violation(field, value.toString(), "expected the number of an item"));
        } else if (!numbers.add(value.intValue())) {
            violations.add(new Violation(field, value.toString(), "expected each item once"));
        }
    }

    /** @throws InvalidArgumentsException with each value that is no text */
    public Set<String> texts(String field) {
        JsonNode values = json.path(field);
        if (!values.isArray()) {
            throw new IllegalArgumentException("expected a list of texts");
        }
        Set<String> texts = new LinkedHashSet<>();
        List<Violation> violations = new ArrayList<>();
        for (JsonNode value : values) {
            if (value.isString()) {
                texts.add(value.stringValue());
            } else {
                violations.add(new Violation(field, value.toString(), "expected a text"));
            }
        }
        if (!violations.isEmpty()) {
            throw new InvalidArgumentsException(field, violations);
        }
        return texts;
    }
}
