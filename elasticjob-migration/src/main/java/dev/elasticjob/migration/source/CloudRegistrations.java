package dev.elasticjob.migration.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Registrations of Elastic-Job-Cloud: the JSON bodies of its REST API, one or a list of them. One with {@code jobName} is a
 * job's, any other an app's.
 */
final class CloudRegistrations {
    private static final String APP_NAME = "appName";
    private static final String JOB_NAME = "jobName";
    private static final String EXECUTION_TYPE = "jobExecutionType";
    private static final Pattern OF_CLOUD =
            Pattern.compile("\"(appName|appURL|bootstrapScript|jobExecutionType|cpuCount|memoryMB)\"\\s*:");

    private static final String TEXT = "a text";
    private static final String NUMBER = "a number";
    private static final String WHOLE = "a whole number";

    /** What Cloud itself requires of a job, and the type of each. */
    private static final List<String> OF_JOB =
            List.of(APP_NAME, "cpuCount", "memoryMB", EXECUTION_TYPE, "cron", "shardingTotalCount");

    private static final List<String> OF_APP = List.of(APP_NAME, "appURL", "bootstrapScript");

    private static final Map<String, String> TYPES = Map.of(
            APP_NAME,
            TEXT,
            JOB_NAME,
            TEXT,
            "cron",
            TEXT,
            "cpuCount",
            NUMBER,
            "memoryMB",
            NUMBER,
            EXECUTION_TYPE,
            "TRANSIENT or DAEMON",
            "shardingTotalCount",
            WHOLE,
            "eventTraceSamplingCount",
            WHOLE);

    /** Cloud refuses less. */
    private static final Map<String, Double> LEAST = Map.of("cpuCount", 0.001, "memoryMB", 1.0);

    private static final double MOST = 1_000_000_000;

    private final String file;
    private final List<String> faults = new ArrayList<>();
    private final List<SourceDocument> documents = new ArrayList<>();

    private CloudRegistrations(String file) {
        this.file = file;
    }

    /** Whether it is JSON with keys that only Cloud has; the text need not be right. */
    static boolean areIn(String text) {
        String stripped = text.strip();
        return (stripped.startsWith("{") || stripped.startsWith("["))
                && OF_CLOUD.matcher(stripped).find();
    }

    /** @throws UnreadableSourceException with all that is wrong in the file */
    static List<SourceDocument> read(String file, String text) {
        var registrations = new CloudRegistrations(file);
        JsonNode root = registrations.tree(text);
        if (root instanceof ArrayNode list) {
            List<JsonNode> each =
                    StreamSupport.stream(list.spliterator(), false).toList();
            IntStream.range(0, each.size())
                    .forEach(number -> registrations.add("registration %d: ".formatted(number + 1), each.get(number)));
        } else {
            registrations.add("", root);
        }
        if (!registrations.faults.isEmpty()) {
            throw new UnreadableSourceException(
                    SourceLocation.of(file), String.join("\n" + file + ": ", registrations.faults));
        }
        return registrations.documents;
    }

    /** What {@link #read} does, of many nodes; those of 3.x are YAML. */
    static List<SourceDocument> ofNodes(Map<String, ObjectNode> byPath) {
        List<SourceDocument> documents = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        byPath.forEach((path, node) -> {
            var registration = new CloudRegistrations(path);
            registration.add("", node);
            documents.addAll(registration.documents);
            registration.faults.forEach(fault -> faults.add(path + ": " + fault));
        });
        if (!faults.isEmpty()) {
            throw new UnreadableSourceException(
                    SourceLocation.of("ZooKeeper"), "some nodes are wrong:\n" + String.join("\n", faults));
        }
        return documents;
    }

    private JsonNode tree(String text) {
        try {
            return StoredJob.JSON.readTree(text);
        } catch (JacksonException e) {
            throw new UnreadableSourceException(
                    new SourceLocation(
                            file, e.getLocation() == null ? 0 : e.getLocation().getLineNr()),
                    "expected the JSON of registrations of Elastic-Job-Cloud, but: " + e.getOriginalMessage(),
                    e);
        }
    }

    private void add(String which, JsonNode registration) {
        if (!(registration instanceof ObjectNode object)) {
            faults.add(which + "expected an object with the registration of an app or a job. Correct it");
            return;
        }
        int before = faults.size();
        boolean isJob = object.has(JOB_NAME);
        List<String> required = isJob ? OF_JOB : OF_APP;
        required.stream()
                .filter(key ->
                        object.path(key).isMissingNode() || object.path(key).isNull())
                .forEach(key -> faults.add("%sexpected \"%s\" in the registration of %s, but it is missing. Add it"
                        .formatted(which, key, isJob ? "a job" : "an app")));
        object.properties().forEach(member -> check(which, member.getKey(), member.getValue()));
        if (faults.size() > before) {
            return;
        }
        SourceLocation place = SourceLocation.of(file);
        List<SourceSetting> settings = new ArrayList<>();
        object.properties().forEach(member -> StoredJob.add(member.getKey(), member.getValue(), place, settings));
        settings.removeIf(setting -> setting.key().equals(isJob ? JOB_NAME : APP_NAME));
        String app = object.path(APP_NAME).asString();
        var document = new DocumentBuilder(nameOf(app) + "-application.yml", Optional.empty());
        if (isJob) {
            document.add(new SourceJob(object.path(JOB_NAME).asString(), Dialect.CLOUD, place, settings));
        } else {
            document.add(new SourceApp(app, place, settings));
        }
        documents.add(document.build());
    }

    private void check(String which, String key, JsonNode found) {
        Optional.ofNullable(TYPES.get(key))
                .filter(type -> !found.isNull() && !hasType(key, type, found))
                .ifPresent(type -> faults.add("%sexpected %s%s for \"%s\", but was %s. Correct it"
                        .formatted(
                                which,
                                type,
                                LEAST.containsKey(key) ? " from " + LEAST.get(key) : "",
                                key,
                                found.toString())));
    }

    private static boolean hasType(String key, String type, JsonNode found) {
        return switch (type) {
            case TEXT -> found.isString() && !found.asString().isBlank();
            case NUMBER ->
                found.isNumber() && found.asDouble() >= LEAST.getOrDefault(key, 0.0) && found.asDouble() < MOST;
            case WHOLE -> found.isInt() || (found.isString() && found.asString().matches("\\d{1,9}"));
            default -> found.isString() && List.of("TRANSIENT", "DAEMON").contains(found.asString());
        };
    }

    /** The name for Kubernetes, as near as it may be. */
    private static String nameOf(String app) {
        return app.strip()
                .toLowerCase(Locale.ROOT)
                .chars()
                .mapToObj(sign ->
                        (sign >= 'a' && sign <= 'z') || (sign >= '0' && sign <= '9') ? Character.toString(sign) : "-")
                .collect(Collectors.joining())
                .replaceAll("^-+|-+$", "");
    }
}
