package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.HandlerProperties;
import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.Secrets;
import dev.elasticjob.definition.Setting;
import dev.elasticjob.definition.Setting.DeclaredBy;
import dev.elasticjob.definition.text.PropertyText;
import dev.elasticjob.time.WrittenDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A definition as the block of an {@code application.yml} that declares the same: only what differs from the defaults, in
 * the order of the rows, with the names that properties have. What is masked stands in a comment, so that no mask becomes a
 * value. What Spring would take for a placeholder is escaped. Pure, apart from the reflection on the groups' records.
 */
final class DefinitionYaml {
    /** Nothing of YAML, in any version, makes something else of such a word. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9/_.-]*|[0-9]+(?:ms|s|m|h|d)");

    private static final Set<String> WORDS = Set.of("true", "false", "yes", "no", "on", "off", "y", "n", "null");

    /** Spring drops other characters of a key that isn't in brackets; what begins with a digit may be a number for YAML. */
    private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9-]*");

    private static final Pattern NUMERIC = Pattern.compile("[0-9]+");

    /** Not printable, or taken for the end of a line. */
    private static final Pattern TO_ESCAPE = Pattern.compile(
            "[\\x00-\\x1f\\x7f-\\x9f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\ufffe\\uffff\\p{Cs}]");

    private final List<String> lines = new ArrayList<>();

    private DefinitionYaml() {}

    /** @param shown the settings as the reader may see them, with masks for the others */
    static String of(JobDefinition job, Map<String, Object> shown) {
        var yaml = new DefinitionYaml();
        for (Setting<?> setting : JobSettings.ALL) {
            if (shown.containsKey(setting.name()) && isWritten(setting, job)) {
                yaml.add(setting.name(), job.get(setting), setting.standard(), shown.get(setting.name()));
            }
        }
        yaml.add("jobExceptionHandler", job.jobExceptionHandler(), "", job.jobExceptionHandler());
        yaml.add("executorServiceHandler", job.executorServiceHandler(), "", job.executorServiceHandler());
        return yaml.text(job);
    }

    /** The default of a time zone is that of the JVM, and another one has another. The type of a class is in its code. */
    private static boolean isWritten(Setting<?> setting, JobDefinition job) {
        if (setting.declaredBy() == DeclaredBy.CODE) {
            return false;
        }
        if (setting == JobSettings.JOB_TYPE) {
            return job.jobType().isWithoutCode();
        }
        boolean zoned = !job.cron().isEmpty() || !job.calendar().isEmpty();
        return !setting.isStandard(job) || (setting == JobSettings.TIME_ZONE && zoned);
    }

    private void add(String name, Object value, Object standard, @Nullable Object shown) {
        if (value instanceof Optional<?> optional) {
            optional.ifPresent(content -> add(name, content, withoutContent(content), shown));
        } else if (value instanceof Record group) {
            addGroup(name, group, (Record) standard, shown);
        } else if (value instanceof Map<?, ?> texts) {
            lines.addAll(map(name, HandlerProperties.others(texts(texts)), shown));
        } else if (!value.equals(standard) || name.equals(JobSettings.TIME_ZONE.name())) {
            lines.addAll(setting(name, value, shown));
        }
    }

    /** What an optional setting is compared with, if it is there. */
    private static Object withoutContent(Object content) {
        return content instanceof HttpRequestSettings ? HttpRequestSettings.of("") : "";
    }

    /** The parts that have their defaults are left out, and some have names of their own, beside the group's. */
    private void addGroup(String name, Record group, Record standard, @Nullable Object shown) {
        List<String> inside = new ArrayList<>();
        Map<String, Object> usual = GroupParts.of(standard);
        GroupParts.of(group).forEach((part, value) -> {
            Object visible = shown instanceof Map<?, ?> parts ? parts.get(part) : null;
            String declared = JobSettings.DECLARED_NAMES.getOrDefault(name + "." + part, "");
            if (value.equals(usual.get(part))) {
                return;
            }
            if (!declared.isEmpty()) {
                lines.addAll(setting(declared, value, visible));
            } else if (value instanceof Map<?, ?> texts) {
                inside.addAll(map(part, texts(texts), visible));
            } else {
                inside.addAll(setting(part, value, visible));
            }
        });
        lines.addAll(block(PropertyText.name(name), inside));
    }

    @SuppressWarnings("unchecked") // All maps of settings are from texts to texts.
    private static Map<String, String> texts(Map<?, ?> map) {
        return (Map<String, String>) map;
    }

    // ------------------------------------------------------------------ lines

    private static List<String> setting(String name, Object value, @Nullable Object shown) {
        return List.of(line(PropertyText.name(name), written(value), isMasked(shown)));
    }

    private static List<String> map(String name, Map<String, String> texts, @Nullable Object shown) {
        if (!(shown instanceof Map<?, ?> visible)) {
            return texts.isEmpty() ? List.of() : setting(name, texts, Secrets.MASK);
        }
        return block(
                PropertyText.name(name),
                texts.entrySet().stream()
                        .map(one ->
                                line(key(one.getKey()), written(one.getValue()), isMasked(visible.get(one.getKey()))))
                        .toList());
    }

    private static String line(String key, String value, boolean masked) {
        return masked ? "# %s: %s is not shown".formatted(key, Secrets.MASK) : "%s: %s".formatted(key, value);
    }

    /** What is not there is not shown either. */
    private static boolean isMasked(@Nullable Object shown) {
        return shown instanceof List<?> elements
                ? elements.stream().anyMatch(DefinitionYaml::isMasked)
                : shown == null || shown.equals(Secrets.MASK);
    }

    /** A key without any value below it would be a value. */
    private static List<String> block(String key, List<String> inside) {
        if (inside.isEmpty()) {
            return List.of();
        }
        List<String> block = new ArrayList<>();
        block.add((inside.stream().allMatch(DefinitionYaml::isComment) ? "# " : "") + key + ":");
        inside.forEach(line -> block.add("  " + line));
        return block;
    }

    private static boolean isComment(String line) {
        return line.strip().startsWith("#");
    }

    private String text(JobDefinition job) {
        List<String> all = new ArrayList<>();
        all.add("# Job %s as the registry has it. What isn't here is as in the annotation, or has its default%s."
                .formatted(
                        quoted(job.jobName()),
                        job.jobClass().isEmpty() ? "" : "; its code is " + quoted(job.jobClass())));
        if (lines.stream().anyMatch(DefinitionYaml::isComment)) {
            all.add("# What may be a secret is not shown: set it, or refer to a secret of your environment.");
        }
        all.addAll(block("elasticjob", block("jobs", block(key(job.jobName()), lines))));
        return all.stream().collect(Collectors.joining("\n", "", "\n"));
    }

    // ------------------------------------------------------------------ keys and values

    private static String key(String name) {
        return KEY.matcher(name).matches() && !isWord(name) ? name : quoted("[" + name + "]");
    }

    private static String written(Object value) {
        if (value instanceof List<?> elements) {
            return elements.stream().map(DefinitionYaml::written).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof Boolean || value instanceof Number) {
            return value.toString();
        }
        if (value instanceof Duration duration) {
            return plainOrQuoted(WrittenDuration.of(duration));
        }
        if (value instanceof JobType type) {
            return plainOrQuoted(type.kebab());
        }
        return value instanceof Enum<?> word
                ? word.name().toLowerCase(Locale.ROOT).replace('_', '-')
                : plainOrQuoted(value.toString());
    }

    private static String plainOrQuoted(String text) {
        return PLAIN.matcher(text).matches() && !isWord(text) ? text : quoted(PropertyText.escaped(text));
    }

    private static boolean isWord(String text) {
        return WORDS.contains(text.toLowerCase(Locale.ROOT))
                || NUMERIC.matcher(text).matches();
    }

    private static String quoted(String text) {
        String marked = text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\t", "\\t");
        return TO_ESCAPE
                .matcher(marked)
                .replaceAll(found -> "\\\\u%04x".formatted((int) found.group().charAt(0)))
                .transform(inside -> '"' + inside + '"');
    }
}
