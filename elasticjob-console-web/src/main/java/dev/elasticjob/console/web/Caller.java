package dev.elasticjob.console.web;

import java.util.Set;

/**
 * The authenticated user of a request. Immutable.
 *
 * @param authorities as the host's security calls them, for example {@code ROLE_OPS}
 */
public record Caller(String name, Set<String> authorities) {
    private static final String PREFIX = "ROLE_";

    public Caller {
        authorities = Set.copyOf(authorities);
    }

    /** @param role an authority, or the name of a role without the prefix {@code ROLE_} */
    boolean has(String role) {
        return authorities.contains(role) || authorities.contains(PREFIX + role);
    }
}
