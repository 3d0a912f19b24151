package dev.elasticjob.spring.actuate;

import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Hides secrets in the endpoints {@code env} and {@code configprops}, even if these show all values. */
@AutoConfiguration
@ConditionalOnClass(SanitizingFunction.class)
public final class SecretSettingsAutoConfiguration {
    /** Compares letters and digits only, because an environment variable contains no other characters of a key. */
    private static final Pattern SECRET = Pattern.compile(
            "elasticjob(registrydigest|secrets.+|jobs.+http(headers|body).*|alerts[a-z]+(url|secret|headers.*))");

    @Bean
    SanitizingFunction elasticJobSecretSettings() {
        return SanitizingFunction.sanitizeValue().ifKeyMatches(SecretSettingsAutoConfiguration::isSecret);
    }

    private static boolean isSecret(String key) {
        String lettersAndDigits = key.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        return SECRET.matcher(lettersAndDigits).matches();
    }
}
