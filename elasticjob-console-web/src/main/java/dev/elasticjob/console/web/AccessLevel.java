package dev.elasticjob.console.web;

/** What a route needs of its caller; each level includes those before it. */
public enum AccessLevel {
    /** Looks. */
    VIEWER,
    /** Carries out commands that can be undone, and runs. */
    OPERATOR,
    /** Changes settings, stops instances, removes jobs. */
    ADMIN
}
