package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.schedule.JobCalendar;
import dev.elasticjob.definition.text.NearestName;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;
import org.springframework.util.ResourceUtils;

/** The calendars of an application by name: {@link JobCalendar} beans, and those of properties. */
final class Calendars {
    private static final String PROPERTY = "elasticjob.calendars";

    /** Time enough for a deployment. */
    private final Map<String, JobCalendar> byName = new TreeMap<>();

    /** Of which {@link #problems()} says what is wrong. */
    private final Set<String> unreadable = new HashSet<>();

    private final List<String> problems = new ArrayList<>();
    private final ResourceLoader files = ApplicationResourceLoader.get();
    private final LocalDate today;

    /**
     * @param beans by name
     * @param properties entries by name, and locations of iCalendar files among them
     */
    Calendars(Map<String, JobCalendar> beans, Map<String, List<String>> properties, LocalDate today) {
        this.today = today;
        beans.forEach((name, calendar) -> add(name, calendar, "bean \"" + name + "\""));
        properties.forEach((name, entries) -> {
            String source = "property \"%s\"".formatted(property(name));
            try {
                add(name, JobCalendar.of(entries.stream().flatMap(this::read).toList()), source);
            } catch (IllegalArgumentException e) {
                unreadable.add(name);
                problems.add("The %s is no calendar: %s.".formatted(source, e.getMessage()));
            }
        });
    }

    private void add(String name, JobCalendar calendar, String source) {
        try {
            if (byName.put(name, calendar.named(name)) != null) {
                problems.add("The calendar \"%s\" is a bean, and also the %s. Remove one of them, or rename it."
                        .formatted(name, source));
            }
        } catch (IllegalArgumentException e) {
            problems.add("The %s can't be a calendar: %s.".formatted(source, e.getMessage()));
        }
    }

    private Stream<String> read(String entry) {
        if (!ResourceUtils.isUrl(entry.strip())) {
            return Stream.of(entry);
        }
        if (!ClassUtils.isPresent("biweekly.Biweekly", getClass().getClassLoader())) {
            throw new IllegalArgumentException(
                    "to read the file \"%s\", add the dependency net.sf.biweekly:biweekly".formatted(entry));
        }
        try {
            return new ICalendarFile(files.getResource(entry.strip()), today).entries().stream();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the file \"%s\": %s".formatted(entry.strip(), e.getMessage()), e);
        }
    }

    /** What is wrong with the calendars, whether or not a job has them. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /**
     * Warnings of calendars whose last day is near, or over: days of the time after it may be missing. Those that return
     * every week or year have no last day.
     *
     * @param jobs those of the application; a calendar that none of them has is no reason for a warning
     */
    List<String> ending(Collection<JobDefinition> jobs) {
        return byName.entrySet().stream()
                .flatMap(named -> named.getValue().endsSoon(today).stream()
                        .flatMap(last -> ending(named.getKey(), last, jobsOf(named.getValue(), jobs)).stream()))
                .toList();
    }

    private static List<String> jobsOf(JobCalendar calendar, Collection<JobDefinition> jobs) {
        return jobs.stream()
                .filter(job -> job.calendar().equals(calendar.toString()))
                .map(job -> '"' + job.jobName() + '"')
                .sorted()
                .toList();
    }

    private static Optional<String> ending(String name, LocalDate last, List<String> jobs) {
        return jobs.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        ("The calendar \"%s\" has no entries for days after %s. From then on, its jobs fire on each day"
                                        + " that isn't left out every week or year: %s. Add the days of the next year")
                                .formatted(name, last, String.join(", ", jobs)));
    }

    /** The entries of what a job names, with its name; none of an unreadable calendar; what is no name stays as it is. */
    String resolved(String calendar) {
        String name = calendar.strip();
        JobCalendar named = byName.get(name);
        return named == null ? unreadable.contains(name) ? "" : calendar : named.toString();
    }

    /** Text that is neither the name of a calendar nor entries, but could be meant as a name. */
    Optional<Violation> unknown(String calendar) {
        String name = calendar.strip();
        boolean meant = !name.isEmpty() && !name.contains(",") && !name.contains(":") && !isEntry(name);
        return meant && !byName.containsKey(name) && !unreadable.contains(name)
                ? Optional.of(new Violation(JobSettings.CALENDAR.name(), name, expected(name)))
                : Optional.empty();
    }

    private String expected(String name) {
        String meant = NearestName.aside(name, byName.keySet());
        String known = byName.isEmpty() ? "" : "one of %s, or ".formatted(String.join(", ", byName.keySet()));
        return ("there is no such calendar%s; expected %sentries such as SAT,SUN,12-25. Define the calendar as the"
                        + " property \"%s\", or as a JobCalendar bean")
                .formatted(meant, known, property(name));
    }

    private static boolean isEntry(String text) {
        try {
            JobCalendar.of(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String property(String name) {
        return JobProblems.keyed(PROPERTY, name);
    }
}
