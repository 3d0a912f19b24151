package dev.elasticjob.migration.conversion;

import dev.elasticjob.migration.source.SourceLocation;
import dev.elasticjob.migration.source.SourceSetting;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Something that was not carried over as it is.
 *
 * @param job the job's name; empty for the registry and for whole files
 * @param setting the setting as the source has it, without values that may be secrets; empty if it is about a whole job or
 *     file
 * @param reason why, and what to do
 */
public record Finding(Kind kind, Optional<String> job, Optional<String> setting, SourceLocation place, String reason) {
    private static final Set<String> SECRETS =
            Set.of("password", "secret", "token", "webhook", "digest", "datasource", "data-source", "http.data");

    /** From the most to the least important. */
    public enum Kind {
        /** The whole job is missing from what was produced. */
        LEFT_OUT("job left out"),
        /** The application does not start with it. */
        REFUSED("refused at startup"),
        /** A setting has no equivalent. */
        NOT_CONVERTED("not converted"),
        /** A setting became another one, or has another value. */
        CHANGED("changed"),
        /** Somebody should look at it. */
        CHECK("check"),
        /** A setting has no purpose any more. */
        NOT_NEEDED("not needed");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** Whether somebody has to do something before the result is what the source was. */
        public boolean needsWork() {
            return this == LEFT_OUT || this == REFUSED || this == NOT_CONVERTED;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    static Finding of(Kind kind, String job, SourceSetting setting, String reason) {
        return new Finding(kind, Optional.of(job), Optional.of(shown(setting)), setting.place(), reason);
    }

    static Finding ofFile(Kind kind, SourceLocation place, String reason) {
        return new Finding(kind, Optional.empty(), Optional.empty(), place, reason);
    }

    static Finding ofRegistry(Kind kind, SourceSetting setting, String reason) {
        return new Finding(kind, Optional.empty(), Optional.of(shown(setting)), setting.place(), reason);
    }

    private static String shown(SourceSetting setting) {
        String key = setting.key().toLowerCase(Locale.ROOT);
        boolean secret = SECRETS.stream().anyMatch(key::contains);
        return secret ? setting.key() + " (value not shown)" : "%s=\"%s\"".formatted(setting.key(), setting.value());
    }
}
