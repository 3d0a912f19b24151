package dev.elasticjob.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Draws valid JSON that has a wrong meaning in one place: another type, null, range, length, order or reference. */
record SpoiltValue(Random random) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private static final List<String> OTHERS = List.of(
            "null",
            "true",
            "0",
            "-1",
            "1.5",
            "2147483647",
            "99999999999999999999",
            "\"\"",
            "\"x\"",
            "\"a/b\"",
            "\"..\"",
            "\",\"",
            "\"\\u0000\"",
            "\"nobody@-@1\"",
            "\"0-49999\"",
            "\"49999\"",
            "\"1970-01-01T00:00:00Z\"",
            "\"PT-1S\"",
            "{}",
            "[]",
            "[null]",
            "[\"a/b\"]",
            "{\"x\":null}",
            "{\"a/b\":\"1970-01-01T00:00:00Z\"}",
            "\"" + "x".repeat(3_000) + "\"");

    private record Place(JsonNode in, String key, int index) {}

    String of(String text) {
        JsonNode json;
        try {
            json = MAPPER.readTree(text);
        } catch (JacksonException noJson) {
            json = MAPPER.createObjectNode();
        }
        List<Place> places = new ArrayList<>();
        collect(json, places);
        if (places.isEmpty() || random.nextInt(8) == 0) {
            return other();
        }
        replace(places.get(random.nextInt(places.size())));
        return json.toString();
    }

    private static void collect(JsonNode json, List<Place> places) {
        if (json instanceof ObjectNode object) {
            object.properties().forEach(member -> {
                places.add(new Place(object, member.getKey(), -1));
                collect(member.getValue(), places);
            });
        } else if (json instanceof ArrayNode array) {
            for (int index = 0; index < array.size(); index++) {
                places.add(new Place(array, "", index));
                collect(array.get(index), places);
            }
        }
    }

    private void replace(Place place) {
        if (place.in() instanceof ObjectNode object) {
            JsonNode before = object.get(place.key());
            if (random.nextInt(8) == 0) {
                object.remove(place.key());
            } else if (before instanceof ArrayNode array && !array.isEmpty() && random.nextBoolean()) {
                object.set(place.key(), reordered(array));
            } else {
                object.set(place.key(), MAPPER.readTree(other()));
            }
        } else {
            ((ArrayNode) place.in()).set(place.index(), MAPPER.readTree(other()));
        }
    }

    /** Everything twice, in another order. */
    private ArrayNode reordered(ArrayNode array) {
        List<JsonNode> all = new ArrayList<>();
        array.forEach(all::add);
        array.forEach(all::add);
        Collections.shuffle(all, random);
        return MAPPER.createArrayNode().addAll(all);
    }

    private String other() {
        return OTHERS.get(random.nextInt(OTHERS.size()));
    }
}
