package dev.elasticjob.console.api;

import dev.elasticjob.console.web.InvalidRequestException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;

/**
 * The properties that a text declares, as Spring Boot reads an {@code application.yml}, each with its line. Needs SnakeYAML. Pure.
 */
final class PastedProperties {
    private static final int LONGEST_KEY = 300;
    private static final int MOST_VALUES = 2_000;
    private static final int DEEPEST = 10;

    private PastedProperties() {}

    /** A property of the text, from the name of the setting on. */
    record Property(ConfigurationPropertyName name, int from, Object value, String line) {
        String element(int at) {
            return name.getElement(from + at, Form.ORIGINAL);
        }

        int elements() {
            return name.getNumberOfElements() - from;
        }

        /** The first elements as one name, in the form that doesn't mind how it is written. */
        String uniform(int elements) {
            StringBuilder text = new StringBuilder();
            for (int at = 0; at < elements; at++) {
                text.append(at == 0 ? "" : ".").append(name.getElement(from + at, Form.UNIFORM));
            }
            return text.toString();
        }

        Property after(int elements) {
            return new Property(name, from + elements, value, line);
        }
    }

    /** @throws InvalidRequestException with the line of what is no YAML */
    static List<Property> properties(String yaml) {
        List<PropertySource<?>> documents;
        try {
            checkShape(yaml);
            documents = new YamlPropertySourceLoader()
                    .load("yaml", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        } catch (MarkedYAMLException e) {
            throw InvalidRequestException.of("yaml" + at(e), String.valueOf(e.getProblem()), "expected YAML");
        } catch (YAMLException | IllegalStateException | IOException e) {
            throw InvalidRequestException.of("yaml", String.valueOf(e.getMessage()), "expected YAML");
        }
        if (documents.size() > 1) {
            throw InvalidRequestException.of(
                    "yaml", documents.size() + " documents", "expected one document, without a line \"---\" in it");
        }
        return documents.stream().flatMap(PastedProperties::properties).toList();
    }

    /**
     * Spring would follow an alias that leads into itself without an end, and copy one that leads to others as often as they
     * say; and it repeats a key for each element of what is below it. Settings need none of that.
     */
    private static void checkShape(String yaml) {
        Deque<Level> open = new ArrayDeque<>();
        int values = 0;
        for (Event event : new Yaml().parse(new StringReader(yaml))) {
            if (event instanceof CollectionEndEvent) {
                open.pop();
            } else if (event instanceof NodeEvent node) {
                boolean key = !open.isEmpty() && open.element().nextIsKey();
                refuseIf(node instanceof AliasEvent, node, "expected values in the place of aliases");
                refuseIf(
                        key
                                && !(node instanceof ScalarEvent name
                                        && name.getValue().length() <= LONGEST_KEY),
                        node,
                        "expected a key of at most %d characters".formatted(LONGEST_KEY));
                refuseIf(++values > MOST_VALUES, node, "expected at most %d keys and values".formatted(MOST_VALUES));
                if (node instanceof CollectionStartEvent) {
                    open.push(new Level(node instanceof MappingStartEvent));
                    refuseIf(open.size() > DEEPEST, node, "expected at most %d levels".formatted(DEEPEST));
                }
            }
        }
    }

    /** A collection that isn't complete yet. In a mapping, keys and values take turns. */
    private static final class Level {
        private final boolean mapping;
        private int nodes;

        Level(boolean mapping) {
            this.mapping = mapping;
        }

        boolean nextIsKey() {
            return mapping && nodes++ % 2 == 0;
        }
    }

    private static void refuseIf(boolean wrong, Event event, String expected) {
        if (wrong) {
            throw InvalidRequestException.of(
                    "yaml, line " + (event.getStartMark().getLine() + 1), "", expected);
        }
    }

    private static String at(MarkedYAMLException e) {
        return Optional.ofNullable(e.getProblemMark())
                .map(mark -> ", line " + (mark.getLine() + 1))
                .orElse("");
    }

    private static Stream<Property> properties(PropertySource<?> document) {
        return Stream.of(((EnumerablePropertySource<?>) document).getPropertyNames())
                .map(key -> new Property(
                        ConfigurationPropertyName.adapt(key, '.'),
                        0,
                        Objects.requireNonNullElse(document.getProperty(key), ""),
                        line(document, key)));
    }

    @SuppressWarnings("unchecked") // Boot's documents look origins up by the names of properties.
    private static String line(PropertySource<?> document, String key) {
        return document instanceof OriginLookup<?> lookup
                        && ((OriginLookup<String>) lookup).getOrigin(key) instanceof TextResourceOrigin origin
                        && origin.getLocation() != null
                ? ", line " + (origin.getLocation().getLine() + 1)
                : "";
    }
}
