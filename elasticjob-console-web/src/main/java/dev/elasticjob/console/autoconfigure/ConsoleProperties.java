package dev.elasticjob.console.autoconfigure;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The console inside an application. {@link ConsoleAutoConfiguration} reports unknown properties.
 *
 * @param enabled Whether the console is served.
 * @param path Path of the console below the application's context path.
 * @param unsecured What the console serves in an application without Spring Security.
 * @param signOutPath Path below the application's context path that the page links to for signing out, such as "/logout". No
 *     link by default.
 * @param showParameters From which role on the console shows parameters of jobs, items and runs, and values of job
 *     properties, which may be secrets. They are masked for others.
 * @param logLink Address in a log system with the lines of an execution, with placeholders such as "{job}", "{item}", "{runId}",
 *     "{instance}", "{from}" and "{to}". No link by default.
 * @param roles Roles of those who use the console.
 */
@ConfigurationProperties("elasticjob.console")
public record ConsoleProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("/elasticjob") String path,
        @DefaultValue("nothing") Unsecured unsecured,
        @Nullable String signOutPath,
        @DefaultValue("operator") ShowParameters showParameters,
        @Nullable String logLink,
        @DefaultValue Roles roles) {
    /** What the console serves without Spring Security. */
    public enum Unsecured {
        NOTHING,
        READ_ONLY
    }

    /** Who sees parameters. */
    public enum ShowParameters {
        /** Everybody who may look; without Spring Security and with "unsecured=read-only", everybody. */
        VIEWER,
        OPERATOR
    }

    /**
     * Roles, as authorities of Spring Security, with or without their prefix {@code ROLE_}.
     *
     * @param viewer Role of those who may look. By default, every authenticated user may.
     * @param operator Role of those who may operate. By default, nobody may.
     * @param admin Role of those who may change settings, stop instances and remove jobs. By default, nobody may.
     * @param teams Roles for some jobs, by the name of the team.
     */
    public record Roles(
            @Nullable String viewer,
            @Nullable String operator,
            @Nullable String admin,
            @DefaultValue Map<String, Team> teams) {}

    /**
     * Roles for some jobs, beside those for all.
     *
     * @param jobs Patterns of the names of the team's jobs: "*" stands for any characters, "?" for one.
     * @param operator Role of those who may operate these jobs. By default, nobody but the operators of all jobs.
     * @param admin Role of those who may change the settings of these jobs, and create and remove them. By default, nobody but
     *     the administrators of all jobs.
     */
    public record Team(
            @DefaultValue List<String> jobs,
            @Nullable String operator,
            @Nullable String admin) {}
}
