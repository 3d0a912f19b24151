package dev.elasticjob.coordination.state;

import dev.elasticjob.definition.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** A node holds data that no instance has written. Names the node, what was expected and what was found. */
public final class CorruptNodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 200;

    /** Of a run. What is no text goes to the end of the node. */
    private static final Pattern PARAMETER =
            Pattern.compile("(\"parameter\"\\s*:\\s*)(?:\"(?:[^\"\\\\]|\\\\.)*+\"|.*)", Pattern.DOTALL);

    CorruptNodeException(String path, String expected, byte[] data, Exception cause) {
        super(message(path, expected, new String(data, StandardCharsets.UTF_8)), cause);
    }

    CorruptNodeException(String path, WrongValue wrong, byte[] data) {
        super(
                "The node \"%s\" can't be read: %s, in \"%s\". Correct or delete it."
                        .formatted(path, wrong.getMessage(), shown(new String(data, StandardCharsets.UTF_8))),
                wrong);
    }

    private static String message(String path, String expected, String found) {
        return "The node \"%s\" can't be read: expected %s, but was \"%s\". Correct or delete it."
                .formatted(path, expected, shown(found));
    }

    /** A parameter is not repeated, because it may be a secret. */
    private static String shown(String node) {
        String found = PARAMETER.matcher(node).replaceAll("$1\"" + Secrets.MASK + "\"");
        return found.length() > SHOWN ? found.substring(0, SHOWN) + "…" : found;
    }
}
