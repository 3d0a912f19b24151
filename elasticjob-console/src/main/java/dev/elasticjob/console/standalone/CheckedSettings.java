package dev.elasticjob.console.standalone;

import dev.elasticjob.console.api.LogLink;
import dev.elasticjob.console.standalone.StandAloneProperties.History;
import dev.elasticjob.console.standalone.StandAloneProperties.OneRegistry;
import dev.elasticjob.console.standalone.StandAloneProperties.OneUser;
import dev.elasticjob.engine.ShardingGroups;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.time.DurationText;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.util.StringUtils;

/**
 * The settings, all of which can be used.
 *
 * @param registries in the order of the configuration
 */
record CheckedSettings(StandAloneProperties properties, List<CheckedRegistry> registries) {
    private static final String REGISTRIES = "elasticjob.console.registries";
    /** The shortest time that a pool of connections takes for a limit. */
    private static final Pattern SERVER_AND_DATABASE =
            Pattern.compile("jdbc:(?:postgresql|mariadb)://[^/?]+/[^/?]+(?:\\?.*)?");

    private static final Duration SHORTEST = Duration.ofMillis(250);

    private static final String USERS = "elasticjob.console.users";

    /**
     * One registry.
     *
     * @param settings how to connect
     */
    record CheckedRegistry(String name, OneRegistry properties, RegistrySettings settings) {}

    CheckedSettings {
        registries = List.copyOf(registries);
    }

    /**
     * @param withoutUnit a line for each duration that has none
     * @param openIdConnect whether users can sign in elsewhere
     * @param bundles the names of the SSL bundles
     * @throws FailureAnalyzedException with everything that can't be used
     */
    static CheckedSettings of(
            StandAloneProperties properties, List<String> withoutUnit, boolean openIdConnect, Set<String> bundles) {
        List<String> problems = new ArrayList<>(withoutUnit);
        List<CheckedRegistry> registries = new ArrayList<>();
        if (properties.registries().isEmpty()) {
            problems.add(
                    "There is no registry to show. Set \"%s.NAME.connect-string\" and \"%s.NAME.namespace\" to those of the applications, with any NAME."
                            .formatted(REGISTRIES, REGISTRIES));
        }
        properties.registries().forEach((name, registry) -> {
            checkBundle(name, registry, bundles, problems);
            checkHistory(name, registry.history(), problems);
            checkLogLink(name, registry.logLink(), problems);
            ShardingGroups.namespaceProblem(registry.dynamicShardingNamespace())
                    .ifPresent(problem -> problems.add(problem.replace(
                                    "elasticjob.dynamic-sharding.namespace",
                                    "%s.%s.dynamic-sharding-namespace".formatted(REGISTRIES, name))
                            + "."));
            settings(name, registry, problems)
                    .ifPresent(settings -> registries.add(new CheckedRegistry(name, registry, settings)));
        });
        if (properties.users().isEmpty() && !openIdConnect) {
            problems.add(
                    "Nobody can sign in, and there is no default password. Set \"%s.NAME.password\" to what \"java -jar elasticjob-console.jar encode-password\" prints, and \"%s.NAME.roles\" to viewer, operator or admin; or configure OpenID Connect below \"spring.security.oauth2.client\"."
                            .formatted(USERS, USERS));
        }
        properties.users().forEach((name, user) -> checkPassword(name, user, problems));
        if (!problems.isEmpty()) {
            throw new FailureAnalyzedException(
                    "The console can't start with these settings:\n"
                            + problems.stream().map(problem -> "  - " + problem).collect(Collectors.joining("\n")),
                    "Correct the properties mentioned above, for example in an \"application.yml\" in the directory that the"
                            + " console is started in.");
        }
        return new CheckedSettings(properties, registries);
    }

    private static void checkBundle(String name, OneRegistry registry, Set<String> bundles, List<String> problems) {
        String brief = registry.sslBundle();
        if (brief != null
                && registry.ssl().bundle() != null
                && !brief.equals(registry.ssl().bundle())) {
            problems.add(
                    "\"%1$s.%2$s.ssl-bundle\" is short for \"%1$s.%2$s.ssl.bundle\", but they name different SSL bundles. Remove one of them."
                            .formatted(REGISTRIES, name));
        }
        String bundle = registry.bundle();
        if (registry.isEncrypted() && bundle != null && !bundles.contains(bundle)) {
            problems.add(
                    "\"%s.%s.%s\" names the SSL bundle \"%s\", but the bundles below \"spring.ssl.bundle\" are: %s."
                            .formatted(
                                    REGISTRIES,
                                    name,
                                    registry.ssl().bundle() == null ? "ssl-bundle" : "ssl.bundle",
                                    bundle,
                                    bundles.isEmpty() ? "none" : String.join(", ", bundles)));
        }
    }

    /** The address isn't shown: it may have a password. */
    private static void checkHistory(String name, History history, List<String> problems) {
        String url = history.url();
        if (url != null && !isAddress(url)) {
            problems.add(
                    "\"%s.%s.history.url\" is an address that no driver of the console takes: expected one such as \"jdbc:postgresql://HOST/DATABASE\", or \"jdbc:mariadb://HOST/DATABASE\" for MariaDB and MySQL."
                            .formatted(REGISTRIES, name));
        }
        if (history.queryTimeout().compareTo(SHORTEST) < 0) {
            problems.add("\"%s.%s.history.query-timeout\" is \"%s\": expected at least %s."
                    .formatted(REGISTRIES, name, DurationText.of(history.queryTimeout()), DurationText.of(SHORTEST)));
        }
    }

    private static void checkLogLink(String name, @Nullable String template, List<String> problems) {
        if (template != null) {
            LogLink.problems(template)
                    .forEach(problem -> problems.add(
                            "\"%s.%s.log-link\" is \"%s\": it %s.".formatted(REGISTRIES, name, template, problem)));
        }
    }

    /** PostgreSQL's driver isn't asked about an address of its own: it logs one that it can't read, with its password. */
    private static boolean isAddress(String url) {
        return (url.startsWith("jdbc:postgresql:") || url.startsWith("jdbc:mariadb:"))
                ? SERVER_AND_DATABASE.matcher(url).matches()
                : DriverManager.drivers().anyMatch(driver -> accepts(driver, url));
    }

    private static boolean accepts(Driver driver, String url) {
        try {
            return driver.acceptsURL(url);
        } catch (SQLException e) {
            return false;
        }
    }

    private static Optional<RegistrySettings> settings(String name, OneRegistry registry, List<String> problems) {
        if (!name.matches("[A-Za-z0-9_-][A-Za-z0-9._-]*")) {
            problems.add(
                    "\"%s\" has the name \"%s\": expected letters, digits, dots, dashes and underscores, because it is part of addresses."
                            .formatted(REGISTRIES, name));
        }
        try {
            RegistrySettings settings = RegistrySettings.of(registry.connectString(), registry.namespace())
                    .withConnectionTimeout(registry.connectionTimeout())
                    .withSessionTimeout(registry.sessionTimeout());
            String digest = registry.digest();
            return Optional.of(StringUtils.hasText(digest) ? settings.withDigest(digest) : settings);
        } catch (IllegalArgumentException e) {
            problems.add(String.valueOf(e.getMessage())
                    .replace("elasticjob.registry.", "%s.%s.".formatted(REGISTRIES, name)));
            return Optional.empty();
        }
    }

    private static void checkPassword(String name, OneUser user, List<String> problems) {
        if (!EncodedPassword.isOne(user.password())) {
            problems.add(
                    "\"%s.%s.password\" must be {bcrypt} and a hash, but isn't. Set it to what \"java -jar elasticjob-console.jar encode-password\" prints."
                            .formatted(USERS, name));
        }
    }
}
