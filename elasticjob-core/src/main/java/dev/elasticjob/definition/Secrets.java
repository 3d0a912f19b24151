package dev.elasticjob.definition;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** What may be a secret and is therefore not shown, as far as names tell. Pure. */
public final class Secrets {
    /** Stands for a value that isn't shown. It is no value itself: a definition never has it. */
    public static final String MASK = "******";

    private static final String WORD =
            "(?:pass(?:word|wd|phrase)|pwd|secret|token|credential|authorization|cookie|api[._-]*key|digest)";
    private static final Pattern NAMED = Pattern.compile(WORD, Pattern.CASE_INSENSITIVE);
    private static final Pattern USER_IN_URI = Pattern.compile("(?<=://)[^/@\\s\"]+(?=@)");

    /** A property with such a name, as JSON or as a map prints it, and its value. */
    private static final Pattern ASSIGNED = Pattern.compile(
            "(\"?[\\w.-]*" + WORD + "[\\w.-]*\"?\\s*[=:]\\s*)(\"[^\"]*\"|[^,}\"\\s]+)", Pattern.CASE_INSENSITIVE);

    private Secrets() {}

    /** Whether the value of a property with this name may be a secret. */
    public static boolean isName(String property) {
        return NAMED.matcher(property).find();
    }

    /** Whether a text mentions a secret, or has a user in an address: a command line or a parameter may contain one. */
    public static boolean mayBeIn(String text) {
        return NAMED.matcher(text).find() || USER_IN_URI.matcher(text).find();
    }

    /** The properties without the values that may be secrets, in the same order. */
    public static Map<String, String> masked(Map<String, String> properties) {
        Map<String, String> shown = new LinkedHashMap<>();
        properties.forEach((name, value) -> shown.put(name, isName(name) ? MASK : value));
        return shown;
    }

    /** A text without the values of such properties in it. */
    public static String withoutValues(String text) {
        return ASSIGNED.matcher(text).replaceAll("$1" + MASK);
    }

    /** A text without the users of the addresses in it. */
    public static String withoutUsers(String text) {
        return USER_IN_URI.matcher(text).replaceAll(MASK);
    }
}
