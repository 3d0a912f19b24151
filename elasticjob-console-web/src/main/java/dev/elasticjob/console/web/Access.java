package dev.elasticjob.console.web;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Who may do what. Immutable. Without a configured role, nobody operates.
 *
 * @param unsecured whether everybody may look, because the host has no security and says so
 * @param viewer the role that may look; empty for every authenticated user
 * @param operator the role that may operate; empty for nobody
 * @param admin the role that may change settings, and stop and remove; empty for nobody
 * @param parameters what a caller needs to see the parameters of jobs and runs, which may be secrets
 */
public record Access(
        Unsecured unsecured,
        Optional<String> viewer,
        Optional<String> operator,
        Optional<String> admin,
        AccessLevel parameters) {
    /** Parameters are shown to operators. */
    public Access(Unsecured unsecured, Optional<String> viewer, Optional<String> operator, Optional<String> admin) {
        this(unsecured, viewer, operator, admin, AccessLevel.OPERATOR);
    }

    /** What an application without security allows. */
    public enum Unsecured {
        NOTHING,
        READ_ONLY
    }

    /** The answer for one caller and one route. */
    enum Decision {
        ALLOWED,
        NOT_AUTHENTICATED,
        FORBIDDEN
    }

    Decision decide(Optional<Caller> caller, AccessLevel level) {
        if (unsecured == Unsecured.READ_ONLY) {
            return level == AccessLevel.VIEWER ? Decision.ALLOWED : Decision.FORBIDDEN;
        }
        return caller.map(known -> levels(known).contains(level) ? Decision.ALLOWED : Decision.FORBIDDEN)
                .orElse(Decision.NOT_AUTHENTICATED);
    }

    /** What a caller may do. */
    public List<AccessLevel> levels(Optional<Caller> caller) {
        return Arrays.stream(AccessLevel.values())
                .filter(level -> decide(caller, level) == Decision.ALLOWED)
                .toList();
    }

    /** Whether a caller sees the parameters of jobs and runs. */
    public boolean seesParameters(Optional<Caller> caller) {
        return decide(caller, parameters) == Decision.ALLOWED;
    }

    private List<AccessLevel> levels(Caller caller) {
        boolean isAdmin = admin.filter(caller::has).isPresent();
        boolean isOperator = isAdmin || operator.filter(caller::has).isPresent();
        boolean isViewer = isOperator || viewer.map(caller::has).orElse(true);
        List<AccessLevel> levels = new ArrayList<>();
        if (isViewer) {
            levels.add(AccessLevel.VIEWER);
        }
        if (isOperator) {
            levels.add(AccessLevel.OPERATOR);
        }
        if (isAdmin) {
            levels.add(AccessLevel.ADMIN);
        }
        return levels;
    }
}
