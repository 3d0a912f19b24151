package dev.elasticjob.definition.kind;

import dev.elasticjob.definition.Secrets;

/**
 * A job property that the jobs of a kind have.
 *
 * @param name of the property, with the kind's prefix
 * @param isRequired whether a job without it is refused
 * @param isDeciding whether it decides what an instance does, so that a change in the registry is used only where the
 *     application allows it
 */
public record KindProperty(String name, boolean isRequired, boolean isDeciding) {
    /** One that may be missing, and that the registry may not change alone. */
    public static KindProperty of(String name) {
        return new KindProperty(name, false, true);
    }

    /** The same, of which a job without it is refused. */
    public KindProperty required() {
        return new KindProperty(name, true, isDeciding);
    }

    /** The same, and operators may change it in the registry: it doesn't decide what is done, only how. */
    public KindProperty changeable() {
        return new KindProperty(name, isRequired, false);
    }

    /**
     * The same, whose value is masked wherever it is shown.
     *
     * @throws IllegalArgumentException if its name doesn't say so: consoles and tools that don't have the kind mask by name
     */
    public KindProperty secret() {
        if (!Secrets.isName(name)) {
            throw new IllegalArgumentException(
                    "The job property \"%s\" is a secret, but its name doesn't say so, and consoles go by names: let it contain password, secret, token, credential, api-key or cookie"
                            .formatted(name));
        }
        return this;
    }
}
