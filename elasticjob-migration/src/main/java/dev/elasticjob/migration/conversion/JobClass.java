package dev.elasticjob.migration.conversion;

import java.util.regex.Pattern;

/** Names of classes as sources have them. */
final class JobClass {
    private static final Pattern THEIRS = Pattern.compile(
            "com\\.dangdang\\.ddframe\\.job\\.|org\\.apache\\.shardingsphere\\.elasticjob\\.|com\\.cxytiandi\\.elasticjob\\.");

    private JobClass() {}

    /** Whether it is a type of Elastic-Job itself: 3.x runs the one bean that implements it. */
    static boolean isTheirs(String name) {
        return THEIRS.matcher(name).lookingAt();
    }

    static boolean isTheirDataflow(String name) {
        return isTheirs(name) && name.endsWith(".DataflowJob");
    }

    static String withoutProxy(String name) {
        return name.split("\\$\\$", 2)[0];
    }
}
