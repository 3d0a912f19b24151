package dev.elasticjob.definition.codec;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The members of a JSON object that stand before the place at which it can't be read.
 *
 * @param isWhole whether all of it can be read, and there is nothing after it
 */
record JsonHead(ObjectNode members, boolean isWhole) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    static JsonHead of(byte[] text) {
        ObjectNode members = MAPPER.createObjectNode();
        try (JsonParser parser = MAPPER.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return new JsonHead(members, false);
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                members.set(name, parser.readValueAsTree());
            }
            return new JsonHead(members, parser.nextToken() == null);
        } catch (JacksonException e) {
            return new JsonHead(members, false);
        }
    }
}
