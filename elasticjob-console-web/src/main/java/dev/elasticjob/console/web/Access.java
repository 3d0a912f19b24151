package dev.elasticjob.console.web;

import dev.elasticjob.definition.text.NamePatterns;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Who may do what. Immutable. Without a configured role, nobody operates. Everybody who may look sees all jobs; the roles of teams
 * are for some jobs only, beside those for all.
 *
 * @param unsecured whether everybody may look, because the host has no security and says so
 * @param viewer the role that may look; empty for every authenticated user
 * @param operator the role that may operate; empty for nobody
 * @param admin the role that may change settings, and stop and remove; empty for nobody
 * @param parameters what a caller needs to see the parameters of jobs and runs, which may be secrets
 * @param teams who may do more with some jobs
 */
public record Access(
        Unsecured unsecured,
        Optional<String> viewer,
        Optional<String> operator,
        Optional<String> admin,
        AccessLevel parameters,
        List<Team> teams) {
    public Access {
        teams = List.copyOf(teams);
    }

    /** Parameters are shown to operators. */
    public Access(Unsecured unsecured, Optional<String> viewer, Optional<String> operator, Optional<String> admin) {
        this(unsecured, viewer, operator, admin, AccessLevel.OPERATOR, List.of());
    }

    /** What an application without security allows. */
    public enum Unsecured {
        NOTHING,
        READ_ONLY
    }

    /**
     * Roles for some jobs.
     *
     * @param operator the role that may operate these; empty for nobody but those of all jobs
     * @param admin the role that may change these; the same
     */
    public record Team(NamePatterns jobs, Optional<String> operator, Optional<String> admin) {}

    /**
     * What a caller may do with some jobs.
     *
     * @param jobs patterns of their names
     */
    public record Rights(List<String> jobs, List<AccessLevel> levels) {}

    /** The answer for one caller and one route. */
    enum Decision {
        ALLOWED,
        NOT_AUTHENTICATED,
        FORBIDDEN
    }

    /** @param job the one that is concerned; empty for the console and its registries as a whole */
    Decision decide(Optional<Caller> caller, AccessLevel level, Optional<String> job) {
        return decided(
                caller,
                level,
                teams.stream()
                        .filter(team -> job.filter(team.jobs()::matches).isPresent())
                        .toList());
    }

    /** Whether there may be jobs with which the caller may do that. */
    Decision decideForSomeJobs(Optional<Caller> caller, AccessLevel level) {
        return decided(caller, level, teams);
    }

    private Decision decided(Optional<Caller> caller, AccessLevel level, List<Team> ofJobs) {
        if (unsecured == Unsecured.READ_ONLY) {
            return level == AccessLevel.VIEWER ? Decision.ALLOWED : Decision.FORBIDDEN;
        }
        return caller.map(known -> levels(known, ofJobs).contains(level) ? Decision.ALLOWED : Decision.FORBIDDEN)
                .orElse(Decision.NOT_AUTHENTICATED);
    }

    /** What a caller may do with the console and its registries as a whole. */
    public List<AccessLevel> levels(Optional<Caller> caller) {
        return Arrays.stream(AccessLevel.values())
                .filter(level -> may(caller, level, Optional.empty()))
                .toList();
    }

    /** What a caller may do with some jobs, and not with all. */
    public List<Rights> rights(Optional<Caller> caller) {
        List<AccessLevel> ofAll = levels(caller);
        return unsecured == Unsecured.READ_ONLY
                ? List.of()
                : caller.stream()
                        .flatMap(known -> teams.stream()
                                .map(team -> new Rights(
                                        team.jobs().patterns(),
                                        levels(known, List.of(team)).stream()
                                                .filter(level -> !ofAll.contains(level))
                                                .toList())))
                        .filter(rights -> !rights.levels().isEmpty())
                        .toList();
    }

    /** @param job the one that is concerned; empty for the console and its registries as a whole */
    public boolean may(Optional<Caller> caller, AccessLevel level, Optional<String> job) {
        return decide(caller, level, job) == Decision.ALLOWED;
    }

    /** Whether a caller sees the parameters of a job and its runs; without one, of all jobs. */
    public boolean seesParameters(Optional<Caller> caller, Optional<String> job) {
        return may(caller, parameters, job);
    }

    /** Who may do anything may look. */
    private Set<AccessLevel> levels(Caller caller, Collection<Team> ofJobs) {
        boolean isAdmin = has(caller, admin, ofJobs.stream().map(Team::admin));
        boolean isOperator = isAdmin || has(caller, operator, ofJobs.stream().map(Team::operator));
        boolean looks = viewer.map(caller::has).orElse(true)
                || isOperator
                || has(
                        caller,
                        Optional.empty(),
                        teams.stream().flatMap(team -> Stream.of(team.operator(), team.admin())));
        Set<AccessLevel> levels = EnumSet.noneOf(AccessLevel.class);
        if (looks) {
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

    private static boolean has(Caller caller, Optional<String> role, Stream<Optional<String>> further) {
        return Stream.concat(Stream.of(role), further).flatMap(Optional::stream).anyMatch(caller::has);
    }
}
