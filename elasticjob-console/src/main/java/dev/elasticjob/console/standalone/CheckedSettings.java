package dev.elasticjob.console.standalone;

import dev.elasticjob.console.standalone.StandAloneProperties.OneRegistry;
import dev.elasticjob.console.standalone.StandAloneProperties.OneUser;
import dev.elasticjob.registry.curator.RegistrySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.util.StringUtils;

/**
 * The settings, all of which can be used.
 *
 * @param registries in the order of the configuration
 */
record CheckedSettings(StandAloneProperties properties, List<CheckedRegistry> registries) {
    private static final String REGISTRIES = "elasticjob.console.registries";
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
     * @param openIdConnect whether users can sign in elsewhere
     * @param bundles the names of the SSL bundles
     * @throws FailureAnalyzedException with everything that can't be used
     */
    static CheckedSettings of(StandAloneProperties properties, boolean openIdConnect, Set<String> bundles) {
        List<String> problems = new ArrayList<>();
        List<CheckedRegistry> registries = new ArrayList<>();
        if (properties.registries().isEmpty()) {
            problems.add(
                    "There is no registry to show. Set \"%s.NAME.connect-string\" and \"%s.NAME.namespace\" to those of the applications, with any NAME."
                            .formatted(REGISTRIES, REGISTRIES));
        }
        properties.registries().forEach((name, registry) -> {
            checkBundle(name, registry, bundles, problems);
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
        String bundle = registry.sslBundle();
        if (bundle != null && !bundles.contains(bundle)) {
            problems.add(
                    "\"%s.%s.ssl-bundle\" names the SSL bundle \"%s\", but the bundles below \"spring.ssl.bundle\" are: %s."
                            .formatted(
                                    REGISTRIES, name, bundle, bundles.isEmpty() ? "none" : String.join(", ", bundles)));
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
