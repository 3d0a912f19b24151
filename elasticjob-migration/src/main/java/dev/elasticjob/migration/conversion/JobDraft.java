package dev.elasticjob.migration.conversion;

import dev.elasticjob.migration.conversion.Finding.Kind;
import dev.elasticjob.migration.source.Dialect;
import dev.elasticjob.migration.source.SourceJob;
import dev.elasticjob.migration.source.SourceSetting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A job while its settings are converted one by one. Not thread-safe. */
final class JobDraft {
    private final SourceJob source;
    private final ConvertedJob.Kind kind;
    private final Map<String, Object> settings = new LinkedHashMap<>();
    private final List<Finding> findings = new ArrayList<>();
    private boolean leftOut;

    JobDraft(SourceJob source, ConvertedJob.Kind kind) {
        this.source = source;
        this.kind = kind;
    }

    SourceJob source() {
        return source;
    }

    Dialect dialect() {
        return source.dialect();
    }

    ConvertedJob.Kind kind() {
        return kind;
    }

    void put(String property, Object value) {
        settings.put(property, value);
    }

    /** What a setting of the source says. Of two settings that say different things, the second is used. */
    void put(SourceSetting setting, String property, Object value) {
        Object former = settings.put(property, value);
        if (former != null && !former.equals(value)) {
            note(
                    Kind.CHECK,
                    setting,
                    "%s is there twice, with \"%s\" too; this one was used".formatted(property, former));
        }
    }

    void remove(String property) {
        settings.remove(property);
    }

    Optional<Object> get(String property) {
        return Optional.ofNullable(settings.get(property));
    }

    Map<String, Object> settings() {
        return settings;
    }

    void lost(SourceSetting setting, String reason) {
        note(Kind.NOT_CONVERTED, setting, reason);
    }

    void note(Kind noted, SourceSetting setting, String reason) {
        findings.add(Finding.of(noted, source.name(), setting, reason));
    }

    void note(Kind noted, String reason) {
        findings.add(new Finding(noted, Optional.of(source.name()), Optional.empty(), source.place(), reason));
    }

    void leaveOut(String reason) {
        note(Kind.LEFT_OUT, reason);
        leftOut = true;
    }

    void leaveOut(SourceSetting setting, String reason) {
        note(Kind.LEFT_OUT, setting, reason);
        leftOut = true;
    }

    boolean isLeftOut() {
        return leftOut;
    }

    List<Finding> findings() {
        return findings;
    }
}
