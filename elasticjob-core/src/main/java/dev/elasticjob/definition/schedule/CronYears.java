package dev.elasticjob.definition.schedule;

import java.time.Instant;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The years in which a cron expression fires.
 *
 * @param some these years; empty for every year
 */
record CronYears(Optional<NavigableSet<Integer>> some) {
    static final CronYears EVERY = new CronYears(Optional.empty());

    /** Before the first of them, in each zone. */
    static final Instant BEFORE_ALL = Instant.parse("1969-12-30T00:00:00Z");

    private static final Pattern ANY = Pattern.compile("\\*(?:/1)?|/1");
    private static final Pattern FORM = Pattern.compile("(?:\\*|(\\d{4})(?:-(\\d{4}))?)?(?:/(\\d{1,4}))?");
    private static final int FIRST = CronField.YEAR.first();
    private static final int LAST = CronField.YEAR.last();

    CronYears {
        some = some.map(years -> Collections.unmodifiableNavigableSet(new TreeSet<>(years)));
    }

    /** @throws IllegalArgumentException if these are no years; the message says why */
    static CronYears parse(String field) {
        NavigableSet<Integer> years = new TreeSet<>();
        boolean every = false;
        for (String part : field.split(",", -1)) {
            every |= ANY.matcher(part).matches();
            years(part).forEach(years::add);
        }
        return every ? EVERY : new CronYears(Optional.of(years));
    }

    private static IntStream years(String part) {
        Matcher form = FORM.matcher(part);
        if (part.isEmpty() || !form.matches()) {
            throw fault(part);
        }
        boolean isRange = form.group(1) == null || form.group(2) != null || form.group(3) != null;
        int from = form.group(1) == null ? FIRST : Integer.parseInt(form.group(1));
        int to = form.group(2) != null ? Integer.parseInt(form.group(2)) : isRange ? LAST : from;
        int step = form.group(3) == null ? 1 : Integer.parseInt(form.group(3));
        if (from < FIRST || to > LAST || to < from || step == 0) {
            throw fault(part);
        }
        return IntStream.iterate(from, year -> year <= to, year -> year + step);
    }

    private static IllegalArgumentException fault(String part) {
        return new IllegalArgumentException(
                "\"%s\": expected years from %d to %d, such as 2027, 2027-2030 or 2027/2".formatted(part, FIRST, LAST));
    }

    /** The first of the years that is not before the given one. */
    OptionalInt firstFrom(int year) {
        if (some.isEmpty()) {
            return OptionalInt.of(year);
        }
        Integer found = some.get().ceiling(year);
        return found == null ? OptionalInt.empty() : OptionalInt.of(found);
    }
}
