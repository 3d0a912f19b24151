package dev.elasticjob.console.web;

import dev.elasticjob.console.web.InvalidRequestException.Violation;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** The JSON object that a command comes with. An empty body is an empty object. Thread-safe as long as nobody changes it. */
public record CommandBody(JsonNode json) {
    private static final int MOST_SHOWN = 100;

    /** @throws InvalidRequestException if it is no text; absent and null are the same */
    public Optional<String> text(String field) {
        JsonNode value = json.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return Optional.empty();
        }
        if (!value.isString()) {
            throw InvalidRequestException.of(field, value.toString(), "expected a text");
        }
        return Optional.of(value.stringValue());
    }

    /** @throws InvalidRequestException if it is no text, or a blank one; absent and null are the same */
    public Optional<String> name(String field) {
        return text(field).map(text -> {
            if (text.isBlank()) {
                throw InvalidRequestException.of(field, text, "expected a text that isn't blank, or none");
            }
            return text;
        });
    }

    /** @throws InvalidRequestException if it is missing or empty */
    public String required(String field) {
        return text(field)
                .filter(text -> !text.isBlank())
                .orElseThrow(() -> InvalidRequestException.of(field, "", "expected a text"));
    }

    /** @throws InvalidRequestException if it is another number, or none; absent and null are the usual one */
    public int number(String field, int usual, int least, int most) {
        JsonNode value = json.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return usual;
        }
        if (value.isInt() && value.intValue() >= least && value.intValue() <= most) {
            return value.intValue();
        }
        throw InvalidRequestException.of(
                field, value.toString(), "expected a number from %d to %d".formatted(least, most));
    }

    /** @throws InvalidRequestException with each of the fields that has no such time */
    public Map<String, Instant> times(String... fields) {
        Map<String, Instant> times = new LinkedHashMap<>();
        List<Violation> violations = new ArrayList<>();
        for (String field : fields) {
            JsonNode value = json.path(field);
            try {
                times.put(field, Instant.parse(value.isString() ? value.stringValue() : ""));
            } catch (DateTimeParseException e) {
                violations.add(new Violation(
                        field,
                        value.isMissingNode() ? "" : value.toString(),
                        "expected a time such as 2026-11-01T00:00:00Z"));
            }
        }
        if (!violations.isEmpty()) {
            throw new InvalidRequestException(violations);
        }
        return times;
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

    /** Each field that isn't known, as a violation. */
    public List<Violation> others(Set<String> known) {
        return json.propertyNames().stream()
                .filter(field -> !known.contains(field))
                .map(field -> new Violation(
                        field,
                        shown(field),
                        "no such field: this command takes only %s".formatted(String.join(", ", known))))
                .toList();
    }

    /** @throws InvalidRequestException if it is no number of an item */
    public int item(String field) {
        JsonNode value = json.path(field);
        if (value.isInt() && value.intValue() >= 0) {
            return value.intValue();
        }
        throw InvalidRequestException.of(field, shown(field), "expected the number of an item");
    }

    /**
     * Several items.
     *
     * @throws InvalidRequestException with each value that is no number of an item, or is there twice; also if there is none
     *     at all
     */
    public NavigableSet<Integer> items(String field) {
        JsonNode values = json.path(field);
        if (!values.isArray() || values.isEmpty()) {
            throw InvalidRequestException.of(
                    field,
                    shown(field),
                    "expected a list of one or several numbers of items; for all items, leave it out");
        }
        NavigableSet<Integer> numbers = new TreeSet<>();
        List<Violation> violations = new ArrayList<>();
        for (JsonNode value : values) {
            boolean isItem = value.isInt() && value.intValue() >= 0;
            if (isItem && !numbers.add(value.intValue())) {
                violations.add(new Violation(field, value.toString(), "expected each item once"));
            } else if (!isItem) {
                violations.add(new Violation(field, value.toString(), "expected the number of an item"));
            }
        }
        if (!violations.isEmpty()) {
            throw new InvalidRequestException(violations);
        }
        return numbers;
    }

    /** @throws InvalidRequestException with each value that is no text */
    public Set<String> texts(String field) {
        JsonNode values = json.path(field);
        if (!values.isArray()) {
            throw InvalidRequestException.of(field, values.toString(), "expected a list of texts");
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
            throw new InvalidRequestException(violations);
        }
        return texts;
    }

    /** @throws InvalidRequestException if it is missing, or no JSON object */
    public Map<String, Object> object(String field) {
        JsonNode value = json.path(field);
        if (!value.isObject()) {
            throw InvalidRequestException.of(
                    field, value.isMissingNode() ? "" : value.toString(), "expected a JSON object");
        }
        return Json.map(value);
    }
}
