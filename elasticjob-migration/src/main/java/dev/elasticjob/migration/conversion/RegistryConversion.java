package dev.elasticjob.migration.conversion;

import static java.util.Map.entry;

import dev.elasticjob.migration.conversion.Finding.Kind;
import dev.elasticjob.migration.source.Dialect;
import dev.elasticjob.migration.source.SourceRegistry;
import dev.elasticjob.migration.source.SourceSetting;
import dev.elasticjob.registry.curator.RegistrySettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Converts the connection to ZooKeeper. */
final class RegistryConversion {
    private static final String PREFIX = "registry.";
    private static final String SESSION = PREFIX + "session-timeout";
    private static final int THREE_TICKS = 6_000;

    private static final Map<String, String> TEXTS = Map.of(
            "serverlists", "connect-string",
            "namespace", "namespace",
            "digest", "digest");

    private static final Map<String, String> MILLIS = Map.ofEntries(
            entry("basesleeptimemilliseconds", "retry.base-sleep"),
            entry("maxsleeptimemilliseconds", "retry.max-sleep"),
            entry("sessiontimeoutmilliseconds", "session-timeout"),
            entry("connectiontimeoutmilliseconds", "connection-timeout"));

    private static final Set<String> ZERO_IS_DEFAULT =
            Set.of("sessiontimeoutmilliseconds", "connectiontimeoutmilliseconds");

    private final SourceRegistry source;
    private final List<Finding> findings;
    private final Map<String, Object> settings = new LinkedHashMap<>();

    private RegistryConversion(SourceRegistry source, List<Finding> findings) {
        this.source = source;
        this.findings = findings;
    }

    /** @param targetNamespace the namespace to use instead of the present one */
    static Map<String, Object> convert(
            SourceRegistry source, Optional<String> targetNamespace, List<Finding> findings) {
        var conversion = new RegistryConversion(source, findings);
        source.settings().stream().filter(setting -> !setting.value().isBlank()).forEach(conversion::apply);
        targetNamespace.ifPresent(namespace -> conversion.settings.put(PREFIX + "namespace", namespace));
        conversion.check();
        return conversion.settings;
    }

    /** The keys that have a rule, as {@link JobRules#uniform} has them. */
    static Set<String> keys() {
        Set<String> keys = new TreeSet<>(TEXTS.keySet());
        keys.addAll(MILLIS.keySet());
        keys.add("maxretries");
        return keys;
    }

    private void apply(SourceSetting setting) {
        String key = JobRules.uniform(setting.key());
        Dialect dialect = source.dialect();
        if (SettingValues.isExpression(setting, dialect)) {
            note(Kind.NOT_CONVERTED, setting, "expressions \"#{…}\" are not evaluated in properties; write the value");
        } else if (TEXTS.containsKey(key)) {
            put(setting, TEXTS.get(key), SettingValues.text(setting, dialect).strip());
        } else if (MILLIS.containsKey(key)) {
            String millis = SettingValues.millis(setting, dialect);
            if (millis.equals("0ms") && ZERO_IS_DEFAULT.contains(key)) {
                note(Kind.NOT_NEEDED, setting, "0 stands for the default in ElasticJob");
            } else {
                put(setting, MILLIS.get(key), millis);
            }
        } else if (key.equals("maxretries")) {
            put(setting, "retry.max-retries", SettingValues.number(setting, dialect));
        } else {
            note(Kind.NOT_CONVERTED, setting, "no key that this converter knows; check its spelling");
        }
        if (key.equals("digest") && !SettingValues.isPlaceholder(setting.value())) {
            note(
                    Kind.CHECK,
                    setting,
                    "is in clear text, as before; the environment variable ELASTICJOB_REGISTRY_DIGEST can replace it");
        }
    }

    private void put(SourceSetting setting, String property, Object value) {
        if (settings.put(PREFIX + property, value) != null) {
            note(Kind.CHECK, setting, "is there twice; this one was used");
        }
    }

    private void check() {
        Object session = settings.get(SESSION);
        if (session == null
                && settings.containsKey(PREFIX + "connect-string")
                && !source.dialect().isStored()) {
            findings.add(Finding.ofFile(
                    Kind.CHECK,
                    source.place(),
                    "without a session timeout, ElasticJob used 60 s; the default here is 20 s. Keep it, unless long"
                            + " pauses of your processes are normal"));
        }
        if (session instanceof String text
                && text.matches("\\d+ms")
                && Long.parseLong(text.replace("ms", "")) < THREE_TICKS) {
            findings.add(Finding.ofFile(
                    Kind.REFUSED,
                    source.place(),
                    ("session-timeout %s is refused at startup unless three ticks of the servers fit into it: set"
                                    + " elasticjob.registry.server-tick to their tickTime, or the timeout to 6 s or more")
                            .formatted(text)));
        }
        checkTexts();
    }

    private void checkTexts() {
        String servers = settings.getOrDefault(PREFIX + "connect-string", "").toString();
        String namespace = settings.getOrDefault(PREFIX + "namespace", "").toString();
        if (servers.isEmpty()
                || SettingValues.isPlaceholder(servers)
                || namespace.isEmpty()
                || SettingValues.isPlaceholder(namespace)) {
            return;
        }
        try {
            RegistrySettings.of(servers, namespace);
        } catch (IllegalArgumentException e) {
            findings.add(Finding.ofFile(Kind.REFUSED, source.place(), String.valueOf(e.getMessage())));
        }
    }

    private void note(Kind kind, SourceSetting setting, String reason) {
        findings.add(Finding.ofRegistry(kind, setting, reason));
    }
}
