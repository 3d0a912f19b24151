package dev.elasticjob.coordination.state;

/** A node holds what nobody of us wrote. Names the node, what was expected and what was found. */
public final class CorruptNodeException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN = 200;

    CorruptNodeException(String path, String expected, String found, Exception cause) {
        super(
                "The node \"%s\" can't be read: expected %s, but was \"%s\". Correct or delete it."
                        .formatted(path, expected, found.length() > SHOWN ? found.substring(0, SHOWN) + "…" : found),
                cause);
    }
}
