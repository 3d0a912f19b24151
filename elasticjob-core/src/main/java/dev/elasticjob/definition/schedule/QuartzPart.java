package dev.elasticjob.definition.schedule;

import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A part of a list as Quartz 2.5 reads it, which ignores what it doesn't expect behind a name, a number or {@code *}.
 *
 * @param text what selects the same here; empty if it selects nothing
 * @param reason why this is another text than the part; empty if both mean the same here
 * @param firstDay its first day of the week in Quartz, from 1 for Sunday; 1 in the other fields
 */
record QuartzPart(String text, Optional<String> reason, int firstDay) {
    private static final Pattern ANY = Pattern.compile("\\*((?!/).*)");
    private static final Pattern NONE = Pattern.compile("\\?(.?)");
    private static final Pattern STEP = Pattern.compile("\\*?/([-+]?\\d{1,9})");
    private static final Pattern LAST_DAY = Pattern.compile("L(?:-(\\d{1,9}))?(W?)");
    private static final Pattern WEEKDAY = Pattern.compile("(\\d{1,9})W(.*)");
    private static final Pattern LAST_OF_MONTH = Pattern.compile("([A-Z]{3}|0*[1-7])L(.*)");
    private static final Pattern NTH_OF_MONTH = Pattern.compile("([A-Z]{3}|0*[0-7])#0*([1-5])");
    private static final Pattern NAMES = Pattern.compile("([A-Z]{3})(?:-([A-Z]{3}))?(.*)");
    private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?(?:/(\\d{1,9}))?(\\D.*)?");

    /** Empty if Quartz can't read it, or never fires by it. */
    static Optional<QuartzPart> read(CronField field, String part) {
        return switch (field) {
            case DAY_OF_MONTH ->
                first(
                        field,
                        part,
                        QuartzPart::none,
                        QuartzPart::lastDay,
                        QuartzPart::weekday,
                        QuartzPart::any,
                        QuartzPart::step,
                        QuartzPart::numbers);
            case DAY_OF_WEEK ->
                first(
                        field,
                        part,
                        QuartzPart::none,
                        QuartzPart::saturday,
                        QuartzPart::lastOfMonth,
                        QuartzPart::nthOfMonth,
                        QuartzPart::any,
                        QuartzPart::step,
                        QuartzPart::names,
                        QuartzPart::numbers);
            default -> first(field, part, QuartzPart::any, QuartzPart::step, QuartzPart::names, QuartzPart::numbers);
        };
    }

    private static Optional<QuartzPart> first(CronField field, String part, Form... forms) {
        return Stream.of(forms).flatMap(form -> form.read(field, part).stream()).findFirst();
    }

    private static Optional<QuartzPart> any(CronField field, String part) {
        return match(ANY, part).map(found -> same("*").without(found.group(1), part));
    }

    private static Optional<QuartzPart> none(CronField field, String part) {
        return match(NONE, part).map(found -> same("?").without(found.group(1), part));
    }

    private static Optional<QuartzPart> step(CronField field, String part) {
        return match(STEP, part)
                .filter(found -> isStep(field, number(found, 1)))
                .map(found -> {
                    int step = number(found, 1);
                    if (step <= 1) {
                        return step == 1 ? same("*") : same("*").because(stepOfZero(part));
                    }
                    return field == CronField.DAY_OF_WEEK
                            ? same(field.range(field.first(), field.last(), step))
                                    .because(daysFromSunday(part))
                            : same("*/" + step);
                });
    }

    private static boolean isStep(CronField field, int step) {
        return field == CronField.YEAR || step <= field.last();
    }

    private static Optional<QuartzPart> lastDay(CronField field, String part) {
        return match(LAST_DAY, part).map(found -> {
            int before = found.group(1) == null ? 0 : number(found, 1);
            if (before > 0) {
                return same("L-" + before + found.group(2));
            }
            QuartzPart last = same("L" + found.group(2));
            return found.group(1) == null
                    ? last
                    : last.because("in Quartz, \"%s\" is no day before the last".formatted(part));
        });
    }

    private static Optional<QuartzPart> weekday(CronField field, String part) {
        return match(WEEKDAY, part).map(found -> same(number(found, 1) + "W").without(found.group(2), part));
    }

    private static Optional<QuartzPart> saturday(CronField field, String part) {
        return part.equals("L")
                ? Optional.of(
                        same("SAT").because("in Quartz, \"L\" is Saturday").from(field.last()))
                : Optional.empty();
    }

    private static Optional<QuartzPart> lastOfMonth(CronField field, String part) {
        return match(LAST_OF_MONTH, part)
                .flatMap(found ->
                        day(found.group(1)).map(day -> byName(day, "L", part).without(found.group(2), part)));
    }

    private static Optional<QuartzPart> nthOfMonth(CronField field, String part) {
        return match(NTH_OF_MONTH, part)
                .flatMap(found -> day(found.group(1)).map(day -> byName(day, "#" + found.group(2), part)));
    }

    private static QuartzPart byName(int day, String rest, String part) {
        QuartzPart byName = same(CronField.DAY_OF_WEEK.written(day) + rest).from(day);
        return Character.isDigit(part.charAt(0)) ? byName.because(daysFromSunday(part)) : byName;
    }

    /** Quartz takes 0 for Saturday before {@code #}. */
    private static Optional<Integer> day(String written) {
        CronField field = CronField.DAY_OF_WEEK;
        if (Character.isDigit(written.charAt(0))) {
            int day = Integer.parseInt(written);
            return Optional.of(day == 0 ? field.last() : day);
        }
        return Optional.of(written).filter(field::hasName).map(field::valueNamed);
    }

    private static Optional<QuartzPart> names(CronField field, String part) {
        return match(NAMES, part)
                .filter(found -> field.hasName(found.group(1)))
                .filter(found -> found.group(2) == null
                        ? !found.group(3).matches(field == CronField.DAY_OF_WEEK ? "[-#].*" : "-.*")
                        : field.hasName(found.group(2)))
                .map(found -> {
                    String end = found.group(2) == null ? found.group(1) : found.group(2);
                    int from = field.valueNamed(found.group(1));
                    return same(field.range(found.group(1), end))
                            .from(from <= field.valueNamed(end) ? from : field.first())
                            .without(found.group(3), part);
                });
    }

    private static Optional<QuartzPart> numbers(CronField field, String part) {
        return match(NUMBERS, part).flatMap(found -> numbers(field, part, found));
    }

    private static Optional<QuartzPart> numbers(CronField field, String part, MatchResult found) {
        boolean isRange = found.group(2) != null;
        boolean hasStep = found.group(3) != null;
        String rest = found.group(4) == null ? "" : found.group(4);
        int from = number(found, 1);
        int to = isRange ? number(found, 2) : hasStep ? field.last() : from;
        int step = hasStep ? number(found, 3) : 1;
        if (isRefused(field, found, rest)) {
            return Optional.empty();
        }
        if (step == 0) {
            return numbers(field, from, from, 1, String.valueOf(from)).map(one -> one.because(stepOfZero(part)));
        }
        String known = part.substring(0, part.length() - rest.length());
        return numbers(field, from, to, step, known).map(read -> read.without(rest, part));
    }

    private static boolean isRefused(CronField field, MatchResult found, String rest) {
        boolean isRange = found.group(2) != null;
        if (found.group(3) == null) {
            return isRange ? rest.startsWith("/") : rest.matches("[-/#LW].*");
        }
        // Behind a step of one digit, Quartz accepts nothing.
        boolean hasBadEnd = found.group(3).length() == 1 && !rest.isEmpty();
        return !isRange && (hasBadEnd || !isStep(field, number(found, 3)));
    }

    private static Optional<QuartzPart> numbers(CronField field, int from, int to, int step, String part) {
        if (field == CronField.YEAR) {
            return to < from ? Optional.empty() : Optional.of(years(from, to, step, part));
        }
        if (!field.contains(from) || to > field.last()) {
            return Optional.empty();
        }
        if (field == CronField.DAY_OF_WEEK) {
            QuartzPart byName = same(field.range(from, to, step)).because(daysFromSunday(part));
            return Optional.of(byName.from(from <= to ? from : field.first()));
        }
        if (from <= to) {
            return Optional.of(same(part));
        }
        QuartzPart wrapped = same(field.range(from, to, step));
        return Optional.of(
                to < field.first()
                        ? wrapped.because("in Quartz, \"%s\" ends with %d".formatted(part, field.last()))
                        : wrapped);
    }

    private static QuartzPart years(int from, int to, int step, String part) {
        CronField field = CronField.YEAR;
        int first = from >= field.first() ? from : field.first() + Math.floorMod(from - field.first(), step);
        int last = Math.min(to, field.last());
        if (first == from && last == to) {
            return same(part.startsWith("0") || part.contains("-0") ? field.range(first, last, step) : part);
        }
        return same(first > last ? "" : field.range(first, last, step))
                .because("\"%s\": years are from %d to %d".formatted(part, field.first(), field.last()));
    }

    private static String stepOfZero(String part) {
        return "in \"%s\", Quartz ignores the step".formatted(part);
    }

    private static String daysFromSunday(String part) {
        return "in \"%s\", Quartz counts days from SUN=1".formatted(part);
    }

    private static QuartzPart same(String text) {
        return new QuartzPart(text, Optional.empty(), 1);
    }

    private QuartzPart because(String why) {
        return new QuartzPart(text, Optional.of(why), firstDay);
    }

    private QuartzPart from(int day) {
        return new QuartzPart(text, reason, day);
    }

    private QuartzPart without(String ignored, String part) {
        return ignored.isEmpty() ? this : because("in \"%s\", Quartz ignores \"%s\"".formatted(part, ignored));
    }

    private static int number(MatchResult found, int group) {
        return Integer.parseInt(found.group(group));
    }

    private static Optional<MatchResult> match(Pattern form, String part) {
        Matcher matcher = form.matcher(part);
        return matcher.matches() ? Optional.of(matcher.toMatchResult()) : Optional.empty();
    }

    /** One way of writing a part. */
    private interface Form {
        Optional<QuartzPart> read(CronField field, String part);
    }
}
