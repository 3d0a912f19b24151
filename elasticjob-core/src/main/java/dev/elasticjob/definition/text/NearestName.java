package dev.elasticjob.definition.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the name that somebody has probably meant: the known one that differs in the fewest letters, if these are few
 * enough. Case, and characters that are neither letters nor digits, don't count. Pure.
 */
public final class NearestName {
    private static final int LETTERS_PER_TYPO = 3;

    private NearestName() {}

    /** The nearest of the known names; the first one in alphabetical order, if there are several. */
    public static Optional<String> to(String written, Collection<String> known) {
        String wanted = letters(written);
        int most = wanted.length() / LETTERS_PER_TYPO;
        return known.stream()
                .filter(name -> !name.equals(written))
                .filter(name -> distance(wanted, letters(name)) <= most)
                .min(Comparator.comparingInt((String name) -> distance(wanted, letters(name)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** A question for the end of a message, with a space in front; empty if no name is near. */
    public static String question(String written, Collection<String> known) {
        return to(written, known).map(" Did you mean \"%s\"?"::formatted).orElse("");
    }

    /** A question in parentheses for the middle of a sentence, with a space in front; empty if no name is near. */
    public static String aside(String written, Collection<String> known) {
        return to(written, known).map(" (did you mean \"%s\"?)"::formatted).orElse("");
    }

    private static String letters(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}]", "");
    }

    /** Letters to add, remove or replace, and neighbours to swap (optimal string alignment). */
    private static int distance(String from, String to) {
        int[][] steps = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                steps[i][j] = i == 0 || j == 0 ? i + j : fewest(steps, from, to, i, j);
            }
        }
        return steps[from.length()][to.length()];
    }

    private static int fewest(int[][] steps, String from, String to, int i, int j) {
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        int best = Math.min(steps[i - 1][j - 1] + (same ? 0 : 1), Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
        boolean swapped =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(best, steps[i - 2][j - 2] + 1) : best;
    }
}
