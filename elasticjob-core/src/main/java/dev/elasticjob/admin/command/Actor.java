package dev.elasticjob.admin.command;

import java.util.Optional;

/**
 * Who carries out a command, and why. Immutable.
 *
 * @param name for example a user name; 1 to 255 characters
 * @param reason at most 1,000 characters; empty if none was given
 */
public record Actor(String name, Optional<String> reason) {
    private static final int MOST_OF_NAME = 255;
    private static final int MOST_OF_REASON = 1_000;

    /** Used where no one was named. */
    public static final Actor UNKNOWN = new Actor("unknown", Optional.empty());

    /** @throws IllegalArgumentException if a text is empty or too long */
    public Actor {
        if (name.isBlank() || name.length() > MOST_OF_NAME) {
            throw new IllegalArgumentException("Expected the name of an actor of 1 to %d characters, but it had %d"
                    .formatted(MOST_OF_NAME, name.strip().length()));
        }
        if (reason.filter(text -> text.length() > MOST_OF_REASON).isPresent()) {
            throw new IllegalArgumentException("Expected a reason of at most %d characters, but it had %d"
                    .formatted(MOST_OF_REASON, reason.get().length()));
        }
    }

    /** The system user that this process runs as. */
    public static Actor ofThisProcess() {
        String user = System.getProperty("user.name", "");
        return user.isBlank() || user.length() > MOST_OF_NAME ? UNKNOWN : named(user);
    }

    public static Actor named(String name) {
        return new Actor(name, Optional.empty());
    }

    public Actor because(String text) {
        return new Actor(name, Optional.of(text).filter(given -> !given.isBlank()));
    }
}
