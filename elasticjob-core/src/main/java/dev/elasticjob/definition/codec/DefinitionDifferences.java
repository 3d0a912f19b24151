package dev.elasticjob.definition.codec;

import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.HttpRequestSettings.Shown;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.Secrets;
import dev.elasticjob.time.WrittenDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Compares two definitions of a job. */
public final class DefinitionDifferences {
    private final List<String> lines = new ArrayList<>();
    private final String format;

    private DefinitionDifferences(String format) {
        this.format = format;
    }

    /** Describes each difference in one line, for the log. Empty if there is none. The name isn't compared. */
    public static List<String> between(JobDefinition registry, JobDefinition here) {
        return between(registry, here, "%s: \"%s\" in the registry, \"%s\" here");
    }

    /** Describes what a change changes, setting by setting: what was there, and what is there now. */
    public static List<String> changes(JobDefinition before, JobDefinition after) {
        return between(before, after, "%s: \"%s\" -> \"%s\"");
    }

    private static List<String> between(JobDefinition registry, JobDefinition here, String format) {
        var differences = new DefinitionDifferences(format);
        JobSettings.ALL.forEach(setting -> {
            if (setting == JobSettings.JOB_PROPERTIES) {
                differences.addProperties(registry.jobProperties(), here.jobProperties());
            } else {
                differences.add(setting.name(), registry.get(setting), here.get(setting));
            }
        });
        return List.copyOf(differences.lines);
    }

    private void add(String setting, Object registry, Object here) {
        if (registry.equals(here)) {
            return;
        }
        if (content(registry) instanceof HttpRequestSettings there
                && content(here) instanceof HttpRequestSettings ours) {
            addHttp(setting, there.shown(), ours.shown());
        } else {
            addLine(setting, shown(registry), shown(here));
        }
    }

    /** Without values that may be secrets. If only such a value differs, both look alike. */
    private void addProperties(Map<String, String> registry, Map<String, String> here) {
        if (!registry.equals(here)) {
            addLine(JobSettings.JOB_PROPERTIES.name(), Secrets.masked(registry), Secrets.masked(here));
        }
    }

    private static Object content(Object value) {
        return value instanceof Optional<?> optional && optional.isPresent() ? optional.get() : value;
    }

    private static Object shown(Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.isPresent() ? optional.get() : "";
        }
        return value instanceof Duration duration ? WrittenDuration.of(duration) : value;
    }

    /** Compares setting by setting, and hides possible secrets. */
    private void addHttp(String setting, Map<String, Shown> registry, Map<String, Shown> here) {
        registry.forEach((name, there) -> {
            Shown ours = Objects.requireNonNull(here.get(name));
            if (!there.value().equals(ours.value())) {
                addLine(setting + "." + name, there.text(), ours.text());
            }
        });
    }

    private void addLine(String setting, Object registry, Object here) {
        lines.add(format.formatted(setting, registry, here));
    }
}
