package dev.elasticjob.admin.explain;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What people are told, as a code with values: readers that know the code say it in a language of their own, all others show
 * the English text. Immutable.
 *
 * @param code what is said
 * @param values what it is said of, by name. Times are written as ISO-8601 instants. Texts that others have written, as
 *     failures, are values too
 * @param text the same in English, one sentence without its full stop
 */
public record Sentence(String code, SortedMap<String, String> values, String text) {
    /** Left out, with what is in the brackets, if the value in it is empty. */
    private static final Pattern OPTIONAL = Pattern.compile("\\[([^\\[\\]{}]*)\\{(\\w+)}([^\\[\\]{}]*)]");

    private static final Pattern VALUE = Pattern.compile("\\{(\\w+)}");

    public Sentence {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    /** A sentence of which the values are missing. Its place is a constant of an enum, whose name is the code. */
    public interface Form {
        String name();

        /** The English text, with {@code {names}} of values, and in brackets what depends on one: {@code [: {reason}]}. */
        String template();

        /** @param namesAndValues one after the other */
        default Sentence of(Object... namesAndValues) {
            SortedMap<String, String> values = new TreeMap<>();
            for (int place = 0; place < namesAndValues.length; place += 2) {
                values.put(String.valueOf(namesAndValues[place]), String.valueOf(namesAndValues[place + 1]));
            }
            return filledWith(values);
        }

        /** With these values and one more. */
        default Sentence with(Map<String, String> values, String name, String value) {
            SortedMap<String, String> all = new TreeMap<>(values);
            all.put(name, value);
            return filledWith(all);
        }

        private Sentence filledWith(SortedMap<String, String> values) {
            return new Sentence(name(), values, filled(template(), values));
        }
    }

    private static String filled(String template, Map<String, String> values) {
        String whole = OPTIONAL.matcher(template)
                .replaceAll(part -> Matcher.quoteReplacement(
                        values.getOrDefault(part.group(2), "").isEmpty()
                                ? ""
                                : part.group(1) + "{" + part.group(2) + "}" + part.group(3)));
        return VALUE.matcher(whole)
                .replaceAll(name -> Matcher.quoteReplacement(values.getOrDefault(name.group(1), name.group())));
    }

    /** The text. */
    @Override
    public String toString() {
        return text;
    }
}
