package dev.elasticjob.coordination.state;

import java.nio.charset.StandardCharsets;

/** A node holds data that no instance has written. Names the node, what was expected and what was found. */
public final class CorruptNodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 200;

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

    private static String shown(String found) {
        return found.length() > SHOWN ? found.substring(0, SHOWN) + "…" : found;
    }
}
