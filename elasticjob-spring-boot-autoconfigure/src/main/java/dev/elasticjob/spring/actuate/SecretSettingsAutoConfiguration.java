package dev.elasticjob.spring.actuate;

import dev.elasticjob.definition.KindRules;
import dev.elasticjob.definition.Secrets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Hides secrets in the endpoints {@code env} and {@code configprops}, even if these show all values. */
@AutoConfiguration
@ConditionalOnClass(SanitizingFunction.class)
public final class SecretSettingsAutoConfiguration {
    /** Compares letters and digits only, because an environment variable contains no other characters of a key. */
    private static final Pattern SECRET =
            Pattern.compile("elasticjob(registrydigest|secrets.+|alerts[a-z]+(url|secret|headers.*)|jobs.+(%s).*)"
                    .formatted(ofKinds()));

    /** A job property. Its name tells whether it may be a secret. */
    private static final Pattern JOB_PROPERTY = Pattern.compile("elasticjobjobs.+jobproperties(.+)");

    /** The settings of kinds of jobs that may contain secrets. */
    private static String ofKinds() {
        return KindRules.builtIn().stream()
                .flatMap(kind -> kind.secrets().stream())
                .map(SecretSettingsAutoConfiguration::lettersAndDigits)
                .collect(Collectors.joining("|"));
    }

    @Bean
    SanitizingFunction elasticJobSecretSettings() {
        return SanitizingFunction.sanitizeValue().ifKeyMatches(SecretSettingsAutoConfiguration::isSecret);
    }

    private static boolean isSecret(String key) {
        String squeezed = lettersAndDigits(key);
        Matcher property = JOB_PROPERTY.matcher(squeezed);
        return SECRET.matcher(squeezed).matches() || (property.matches() && Secrets.isName(property.group(1)));
    }

    private static String lettersAndDigits(String key) {
        return key.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }
}
