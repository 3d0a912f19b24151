package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.Setting;
import dev.elasticjob.definition.SettingSource;
import dev.elasticjob.definition.schedule.ScheduleKind;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.time.WrittenDuration;
import java.lang.reflect.RecordComponent;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanExpressionException;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.ReflectionUtils;

/**
 * What an application declares of a job: the property if there is one, otherwise the attribute of the annotation. Both have
 * the setting's name; a part of a group has it behind the group's name and a dot. An unreadable value is reported, and
 * counts as missing. Used once, by one thread.
 */
final class DeclaredSettings implements SettingSource {
    static final String A_TIME =
            "expected a time with its zone, for example 2026-12-24T18:00:00Z or 2026-12-24T18:00:00+01:00";

    /** A job has one of them, so each of them as a property overrides all of them in the annotation. */
    private static final Set<String> SCHEDULES =
            JobSettings.SCHEDULES.stream().map(Setting::name).collect(Collectors.toUnmodifiableSet());

    /** What means nothing in a job that runs on request only. */
    private static final Set<String> OF_FIRINGS = JobSettings.meaninglessWith(ScheduleKind.ON_REQUEST).stream()
            .map(Setting::name)
            .collect(Collectors.toUnmodifiableSet());

    private final Optional<JobDefinition> base;
    private final Map<String, Object> properties = new HashMap<>();
    private final Map<String, Object> attributes = new HashMap<>();
    private final UnaryOperator<String> placeholders;
    private final Consumer<Violation> report;

    DeclaredSettings(
            Declared declared,
            ElasticJobProperties.Job properties,
            UnaryOperator<String> placeholders,
            Consumer<Violation> report) {
        this.base = declared.definition();
        this.placeholders = placeholders;
        this.report = report;
        addComponents("", properties);
        declared.annotation().ifPresent(this::addAttributes);
        if (SCHEDULES.stream().anyMatch(this.properties::containsKey)) {
            attributes.keySet().removeAll(SCHEDULES);
            if (isSwitchedOff()) {
                attributes.keySet().removeAll(OF_FIRINGS);
            }
        }
    }

    private void addComponents(String prefix, Record settings) {
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            Object value = ReflectionUtils.invokeMethod(component.getAccessor(), settings);
            if (value instanceof Record group) {
                addComponents(prefix + component.getName() + ".", group);
            } else if (value != null) {
                properties.put(prefix + component.getName(), value);
            }
        }
    }

    private void addAttributes(ElasticJob annotation) {
        AnnotationUtils.getAnnotationAttributes(annotation, false, true).forEach((name, value) -> {
            if (value instanceof Map<?, ?> group) {
                group.forEach((part, partValue) -> attributes.put(name + "." + part, partValue));
            } else {
                attributes.put(name, value);
            }
        });
    }

    /**
     * A property without a schedule switches that of the annotation off, with all that belongs to it. Any other schedule
     * keeps what the annotation has beside its own, and is refused with what means nothing with it.
     */
    private boolean isSwitchedOff() {
        return properties.get(JobSettings.CRON.name()) instanceof String cron
                && cron(cron).isBlank()
                && SCHEDULES.stream()
                        .filter(schedule -> !schedule.equals(JobSettings.CRON.name()))
                        .noneMatch(properties::containsKey);
    }

    boolean isSetByProperty(String setting) {
        return properties.containsKey(setting);
    }

    /** The rule of precedence. */
    @SuppressWarnings("unchecked") // A component and an attribute have the type of the row: EverySettingTest reads all.
    private <A, T> Optional<T> value(String name, Function<A, Optional<T>> ofAttribute) {
        Object property = properties.get(declaredName(name));
        return property == null
                ? Optional.ofNullable((A) attributes.get(declaredName(name))).flatMap(ofAttribute)
                : Optional.of((T) property);
    }

    private static String declaredName(String name) {
        return JobSettings.DECLARED_NAMES.getOrDefault(name, name);
    }

    @Override
    public Optional<String> text(String name) {
        Optional<String> text = value(name, (String written) -> resolved(name, written));
        return name.equals(JobSettings.CRON.name()) ? text.map(DeclaredSettings::cron) : text;
    }

    private static String cron(String cron) {
        return cron.strip().equals(Scheduled.CRON_DISABLED) ? "" : cron;
    }

    @Override
    public Optional<Integer> number(String name) {
        return this.<Integer, Integer>value(name, Optional::of);
    }

    @Override
    public Optional<Boolean> flag(String name) {
        return this.<Boolean, Boolean>value(name, Optional::of);
    }

    @Override
    public Optional<Duration> duration(String name) {
        return value(name, (String written) -> resolved(name, written).flatMap(text -> parsedDuration(name, text)));
    }

    private Optional<Duration> parsedDuration(String name, String text) {
        Optional<String> withoutUnit = WrittenDuration.problem(text);
        if (withoutUnit.isPresent()) {
            return refused(name, text, withoutUnit.get());
        }
        try {
            return Optional.of(DurationStyle.detectAndParse(text));
        } catch (IllegalArgumentException e) {
            return refused(name, text, "expected a duration, for example 60s or PT1M");
        }
    }

    @Override
    public Optional<Optional<Instant>> time(String name) {
        Optional<Instant> time = value(
                name,
                (String written) -> resolved(name, written)
                        .filter(text -> !text.isBlank())
                        .flatMap(text -> parsedTime(name, text)));
        return time.isPresent() ? Optional.of(time) : Optional.empty();
    }

    private Optional<Instant> parsedTime(String name, String text) {
        try {
            return Optional.of(Instant.parse(text.strip()));
        } catch (DateTimeException e) {
            return refused(name, text, A_TIME);
        }
    }

    @Override
    public Optional<ZoneId> zone(String name) {
        return value(
                name,
                (String written) -> resolved(name, written)
                        .filter(text -> !text.isBlank())
                        .flatMap(text -> parsedZone(name, text)));
    }

    private Optional<ZoneId> parsedZone(String name, String text) {
        try {
            return Optional.of(ZoneId.of(text.strip()));
        } catch (DateTimeException e) {
            return refused(name, text, "expected a time zone, for example Europe/Berlin or UTC");
        }
    }

    @Override
    public Optional<Map<String, String>> texts(String name) {
        return value(name, (String[] written) -> Optional.of(pairs(name, written)));
    }

    private Map<String, String> pairs(String name, String[] written) {
        Map<String, String> pairs = new LinkedHashMap<>();
        resolved(name, written).forEach(text -> {
            int equals = text.indexOf('=');
            if (equals > 0) {
                pairs.put(
                        text.substring(0, equals).strip(),
                        text.substring(equals + 1).strip());
            } else {
                refused(name, text, "expected key=value");
            }
        });
        return pairs;
    }

    /** The bean that does the job's work decides. */
    @Override
    public Optional<JobType> type(String name) {
        return Optional.empty();
    }

    // ------------------------------------------------------------------ groups: what isn't declared is the base's

    @Override
    public boolean hasGroup(String name) {
        String parts = name + ".";
        Stream<String> ownNames = JobSettings.DECLARED_NAMES.entrySet().stream()
                .filter(part -> part.getKey().startsWith(parts))
                .map(Map.Entry::getValue);
        return Stream.of(properties, attributes)
                        .flatMap(declared -> declared.keySet().stream())
                        .anyMatch(setting -> setting.startsWith(parts))
                || ownNames.anyMatch(setting -> properties.containsKey(setting) || attributes.containsKey(setting));
    }

    @Override
    public Optional<JobDefinition> base() {
        return base;
    }

    @Override
    public Optional<Double> decimal(String name) {
        return this.<Double, Double>value(name, Optional::of);
    }

    @Override
    public <E extends Enum<E>> Optional<E> choice(String name, Class<E> words) {
        return this.<E, E>value(name, Optional::of);
    }

    /** Of jobs, or of classes. */
    @Override
    public Optional<List<String>> names(String name) {
        Optional<List<?>> names = value(
                name,
                (Object[] written) -> Optional.of(
                        written instanceof String[] texts
                                ? resolved(name, texts).toList()
                                : List.of(written)));
        return names.map(all -> all.stream()
                .map(one -> one instanceof Class<?> type ? type.getName() : one.toString())
                .toList());
    }

    // ------------------------------------------------------------------ texts of the annotation

    private Stream<String> resolved(String name, String[] written) {
        return Stream.of(written).flatMap(text -> resolved(name, text).stream());
    }

    private Optional<String> resolved(String name, String written) {
        try {
            return Optional.of(placeholders.apply(written));
        } catch (IllegalArgumentException | BeanExpressionException e) {
            return refused(name, written, "its placeholders or expressions can't be resolved: " + e.getMessage());
        }
    }

    private <T> Optional<T> refused(String name, String found, String expected) {
        report.accept(new Violation(declaredName(name), found, expected));
        return Optional.empty();
    }
}
