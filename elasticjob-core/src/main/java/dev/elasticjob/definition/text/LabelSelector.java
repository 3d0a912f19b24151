package dev.elasticjob.definition.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which instances a job may run on, by their labels. The syntax and the meaning are those of
 * <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors">Kubernetes'
 * selectors</a>: requirements with commas between them, all of which an instance has to fulfil.
 *
 * <table>
 * <caption>Requirements</caption>
 * <tr><th>written</th><th>fulfilled by</th></tr>
 * <tr><td>{@code zone=a}, {@code zone==a}</td><td>the label with this value</td></tr>
 * <tr><td>{@code zone!=a}</td><td>another value, or no such label</td></tr>
 * <tr><td>{@code zone in (a,b)}</td><td>the label with one of these values</td></tr>
 * <tr><td>{@code zone notin (a,b)}</td><td>another value, or no such label</td></tr>
 * <tr><td>{@code gpu}</td><td>the label, with any value</td></tr>
 * <tr><td>{@code !gpu}</td><td>no such label</td></tr>
 * </table>
 *
 * <p>Kubernetes' {@code >} and {@code <} are not understood. Immutable. Two are equal if they mean the same requirements, in
 * the same order.
 */
public final class LabelSelector {
    /** Every instance. */
    public static final LabelSelector ANY = new LabelSelector(List.of());

    private final List<Requirement> requirements;

    private LabelSelector(List<Requirement> requirements) {
        this.requirements = List.copyOf(requirements);
    }

    /**
     * @param text empty for every instance
     * @throws IllegalArgumentException with the position at which something else was expected
     */
    public static LabelSelector parse(String text) {
        return text.isBlank() ? ANY : new LabelSelector(new Reader(text).requirements());
    }

    public boolean matches(InstanceLabels labels) {
        return requirements.stream().allMatch(requirement -> requirement.isFulfilledBy(labels));
    }

    /** The same of labels that may not be known now: these count as matching. */
    public boolean mayMatch(Optional<InstanceLabels> known) {
        return known.map(this::matches).orElse(true);
    }

    /** The requirements that these labels don't fulfil, in normal form. */
    public List<String> unfulfilledBy(InstanceLabels labels) {
        return requirements.stream()
                .filter(requirement -> !requirement.isFulfilledBy(labels))
                .map(Requirement::toString)
                .toList();
    }

    /** Whether every instance matches. */
    public boolean isAny() {
        return requirements.isEmpty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LabelSelector selector && requirements.equals(selector.requirements);
    }

    @Override
    public int hashCode() {
        return requirements.hashCode();
    }

    /** As it may be written: {@code zone in (a,b),!gpu}. */
    @Override
    public String toString() {
        return requirements.stream().map(Requirement::toString).collect(Collectors.joining(","));
    }

    /**
     * @param values among which the label's is to be; none if any will do
     * @param wanted whether the label is wanted with this value, or unwanted
     */
    private record Requirement(String label, Set<String> values, boolean wanted) {
        boolean isFulfilledBy(InstanceLabels labels) {
            return wanted
                    == labels.value(label)
                            .filter(value -> values.isEmpty() || values.contains(value))
                            .isPresent();
        }

        @Override
        public String toString() {
            return switch (values.size()) {
                case 0 -> (wanted ? "" : "!") + label;
                case 1 -> label + (wanted ? "=" : "!=") + values.iterator().next();
                default -> "%s %s (%s)".formatted(label, wanted ? "in" : "notin", String.join(",", values));
            };
        }
    }

    /** Reads from left to right. */
    private static final class Reader {
        private final String text;
        private int position;

        Reader(String text) {
            this.text = text;
        }

        List<Requirement> requirements() {
            List<Requirement> read = new ArrayList<>();
            do {
                read.add(requirement());
            } while (skips(","));
            if (!isAtEnd()) {
                throw unexpected("a comma, or the end");
            }
            return read;
        }

        private Requirement requirement() {
            if (skips("!")) {
                return new Requirement(label(), Set.of(), false);
            }
            String label = label();
            if (skips("!=")) {
                return new Requirement(label, Set.of(value()), false);
            }
            if (skips("==") || skips("=")) {
                return new Requirement(label, Set.of(value()), true);
            }
            int behind = position;
            String operator = word().toLowerCase(Locale.ROOT);
            if (operator.equals("in") || operator.equals("notin")) {
                return new Requirement(label, values(), operator.equals("in"));
            }
            position = behind;
            if (!isAtEnd() && text.charAt(position) != ',') {
                throw unexpected("=, !=, in (…), notin (…), a comma, or the end");
            }
            return new Requirement(label, Set.of(), true);
        }

        private Set<String> values() {
            if (!skips("(")) {
                throw unexpected("( and values, such as (a,b)");
            }
            if (skipSpaces() < text.length() && text.charAt(position) == ')') {
                throw unexpected("a label's value in the parentheses (an empty one is written as \"label=\")");
            }
            Set<String> values = new TreeSet<>();
            do {
                values.add(value());
            } while (skips(","));
            if (!skips(")")) {
                throw unexpected("a comma, or )");
            }
            return values;
        }

        private String label() {
            int begin = skipSpaces();
            String label = word();
            InstanceLabels.problemOfName(label).ifPresent(problem -> {
                position = begin;
                throw unexpected("a label's name: " + problem);
            });
            return label;
        }

        private String value() {
            int begin = skipSpaces();
            String value = word();
            InstanceLabels.problemOfValue(value).ifPresent(problem -> {
                position = begin;
                throw unexpected("a label's value: " + problem);
            });
            return value;
        }

        /** Everything up to a character that has a meaning of its own. */
        private String word() {
            int begin = skipSpaces();
            while (position < text.length() && "!=,() ".indexOf(text.charAt(position)) < 0) {
                position++;
            }
            return text.substring(begin, position);
        }

        private boolean skips(String sign) {
            skipSpaces();
            boolean there = text.startsWith(sign, position);
            position += there ? sign.length() : 0;
            return there;
        }

        private boolean isAtEnd() {
            return skipSpaces() == text.length();
        }

        private int skipSpaces() {
            while (position < text.length() && text.charAt(position) == ' ') {
                position++;
            }
            return position;
        }

        private IllegalArgumentException unexpected(String expected) {
            String found = position < text.length() ? "\"" + text.substring(position) + "\"" : "the end";
            return new IllegalArgumentException(
                    "expected %s; found %s at position %d of \"%s\"".formatted(expected, found, position + 1, text));
        }
    }
}
