package dev.elasticjob.spring.autoconfigure;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.env.PropertyResolver;

/**
 * References of HTTP jobs, such as <code>${billing-token}</code>, which stands for {@code elasticjob.secrets.billing-token}.
 * No other property can be referred to: who may change the job's definition would otherwise have any of them sent to any
 * address. Thread-safe.
 *
 * @param properties of this instance
 */
record SecretReferences(PropertyResolver properties) {
    private static final String SECRETS = "elasticjob.secrets.";
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*)}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    /**
     * Replaces each reference by its value. What the value contains is not a reference.
     *
     * @throws IllegalArgumentException if one has no value; names the property
     */
    String resolved(String text) {
        return REFERENCE.matcher(text).replaceAll(reference -> Matcher.quoteReplacement(value(reference.group(1))));
    }

    private String value(String name) {
        if (!NAME.matcher(name).matches()) {
            // Not shown: it may be any part of a text that is not shown either.
            throw new IllegalArgumentException(
                    "Expected a reference to name a property below \"%s\" in letters, digits, dots and dashes, but one has another character; correct it in the job's settings"
                            .formatted(SECRETS));
        }
        String value = properties.getProperty(SECRETS + name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "Expected the property \"%s%s\", to which it refers, but this instance doesn't have it; set the property on each instance that runs the job"
                            .formatted(SECRETS, name));
        }
        return value;
    }
}
