package dev.elasticjob.definition;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * One setting of a job: a row of {@link JobSettings}, with all that is known about the setting. Immutable.
 *
 * @param <T> its values, which are immutable and never null
 */
public final class Setting<T> {
    private final int index;
    private final Row<T> row;

    private Setting(int index, Row<T> row) {
        this.index = index;
        this.row = row;
    }

    /** Where a setting is stored. */
    public enum Place {
        /** In the config, or in an extension that is the whole definition. */
        CONFIG,
        /** Only in an extension that is the whole definition. */
        WHOLE,
        /** Always in the extension. */
        EXTENSION
    }

    /** Where an application with Spring Boot declares a setting. */
    public enum DeclaredBy {
        /** As an attribute of the annotation, or as a property, which comes first. */
        ANNOTATION_OR_PROPERTY,
        PROPERTY,
        /** Nowhere: it follows from the job's code. */
        CODE
    }

    /** Its name everywhere: of the stored key, the accessor, the annotation's attribute and the property. */
    public String name() {
        return row.name;
    }

    /** What it means, in a sentence or a few, for people. */
    public String description() {
        return row.description;
    }

    public Place place() {
        return row.place;
    }

    public DeclaredBy declaredBy() {
        return row.declaredBy;
    }

    /** The value of a job that doesn't set it. */
    public T standard() {
        return row.standard.get();
    }

    /** Whether jobs have it that are defined like this one. Others don't store it. */
    public boolean isOf(JobDefinition job) {
        return row.condition.test(job);
    }

    public boolean isStandard(JobDefinition job) {
        return job.get(this).equals(standard());
    }

    /** Whether its value is an object with settings of its own. */
    public boolean isGroup() {
        return row.group;
    }

    /** Whether the value of this member of an object may be a secret, and is masked. */
    public boolean isSecret(String member) {
        return row.secret.test(member);
    }

    public Optional<T> read(SettingSource source) {
        return row.reader.apply(source, row.name);
    }

    /** Leaves the builder's value as it is if the source has none. */
    public void read(SettingSource source, JobDefinition.Builder builder) {
        read(source).ifPresent(value -> builder.set(this, value));
    }

    public void copy(JobDefinition from, JobDefinition.Builder builder) {
        builder.set(this, from.get(this));
    }

    @Override
    public String toString() {
        return row.name;
    }

    // ------------------------------------------------------------------ for definitions

    /** Its place among the values of all rows. */
    int index() {
        return index;
    }

    /** Its value among those of all rows. */
    @SuppressWarnings("unchecked") // Only values of this type are set there.
    T in(Object[] values) {
        return (T) values[index];
    }

    /** The value in the form in which a definition keeps it. */
    T kept(T value) {
        return row.form.apply(value);
    }

    /** What is wrong with a value, whatever the others are. */
    List<Violation> violations(T value) {
        return row.limits.stream().flatMap(limit -> limit.apply(value).stream()).toList();
    }

    // ------------------------------------------------------------------ how a row is written

    static <T> Row<T> row(String name, BiFunction<SettingSource, String, Optional<T>> reader, Supplier<T> standard) {
        return new Row<>(name, reader, standard);
    }

    /** What a row says. Changes only while it is written. */
    static final class Row<T> {
        private final String name;
        private final BiFunction<SettingSource, String, Optional<T>> reader;
        private final Supplier<T> standard;
        private final List<Function<T, List<Violation>>> limits = new ArrayList<>();
        private String description = "";
        private Place place = Place.CONFIG;
        private DeclaredBy declaredBy = DeclaredBy.ANNOTATION_OR_PROPERTY;
        private UnaryOperator<T> form = UnaryOperator.identity();
        private Predicate<JobDefinition> condition = any -> true;
        private Predicate<String> secret = any -> false;
        private boolean group;

        private Row(String name, BiFunction<SettingSource, String, Optional<T>> reader, Supplier<T> standard) {
            this.name = name;
            this.reader = reader;
            this.standard = standard;
        }

        /** Its description. */
        Row<T> says(String text) {
            description = text;
            return this;
        }

        Row<T> in(Place other) {
            place = other;
            return this;
        }

        Row<T> declaredBy(DeclaredBy other) {
            declaredBy = other;
            return this;
        }

        Row<T> asGroup() {
            group = true;
            return this;
        }

        /** How a definition keeps its value. */
        Row<T> keptAs(UnaryOperator<T> other) {
            form = other;
            return this;
        }

        /** Members of its value that may be secrets. */
        Row<T> hiding(Predicate<String> members) {
            secret = members;
            return this;
        }

        Row<T> onlyIf(Predicate<JobDefinition> other) {
            condition = other;
            return this;
        }

        Row<T> onlyFor(JobType type) {
            return onlyIf(job -> job.jobType() == type);
        }

        /** @param expected what the value should be, or what to do */
        Row<T> refusing(Predicate<T> wrong, String expected) {
            return limitedBy(
                    value -> wrong.test(value) ? List.of(new Violation(name, shown(value), expected)) : List.of());
        }

        Row<T> limitedBy(Function<T, List<Violation>> limit) {
            limits.add(limit);
            return this;
        }

        private static String shown(Object value) {
            return value instanceof Duration duration ? DurationText.of(duration) : value.toString();
        }

        /** The row at the end of those that are there. */
        Setting<T> addTo(List<Setting<?>> rows) {
            Setting<T> setting = new Setting<>(rows.size(), this);
            rows.add(setting);
            return setting;
        }
    }
}
