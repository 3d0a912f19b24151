package dev.elasticjob.definition;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.time.WrittenDuration;
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
 * One setting of a job: a row of {@link JobSettings}, with all that is known about the setting. It changes only while it is
 * written there.
 *
 * @param <T> its values, which are immutable and never null
 */
public final class Setting<T> {
    private final String name;
    private final BiFunction<SettingSource, String, Optional<T>> reader;
    private final Supplier<T> standard;
    private final List<Function<T, List<Violation>>> limits = new ArrayList<>();
    private int index = -1;
    private String description = "";
    private Place place = Place.CONFIG;
    private DeclaredBy declaredBy = DeclaredBy.ANNOTATION_OR_PROPERTY;
    private UnaryOperator<T> form = UnaryOperator.identity();
    private Predicate<JobDefinition> condition = any -> true;
    private Predicate<String> secret = any -> false;
    private boolean hides;
    private boolean parameter;

    Setting(String name, BiFunction<SettingSource, String, Optional<T>> reader, Supplier<T> standard) {
        this.name = name;
        this.reader = reader;
        this.standard = standard;
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
        return name;
    }

    /** What it means, in a sentence or a few, for people. */
    public String description() {
        return description;
    }

    public Place place() {
        return place;
    }

    public DeclaredBy declaredBy() {
        return declaredBy;
    }

    /** The value of a job that doesn't set it. */
    public T standard() {
        return standard.get();
    }

    /** Whether jobs have it that are defined like this one. Others don't store it. */
    public boolean isOf(JobDefinition job) {
        return condition.test(job);
    }

    public boolean isStandard(JobDefinition job) {
        return job.get(this).equals(standard());
    }

    /** Whether the value of this member of an object may be a secret, and is masked. */
    public boolean isSecret(String member) {
        return secret.test(member);
    }

    /**
     * Whether what stands there may be a secret: in a member that is masked, or in the whole that has such members.
     *
     * @param part this setting, or a part of it, by its whole name
     */
    boolean mayHaveSecret(String part) {
        return part.equals(name) ? hides : part.startsWith(name + ".") && isSecret(part.substring(name.length() + 1));
    }

    /**
     * Whether it is passed on to the job's code, which may need passwords: people who may look but not operate don't see
     * its value, whatever its name is.
     */
    public boolean isParameter() {
        return parameter;
    }

    public Optional<T> read(SettingSource source) {
        return reader.apply(source, name);
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
        return name;
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
        return form.apply(value);
    }

    /** What is wrong with a value, whatever the others are. */
    List<Violation> violations(T value) {
        return limits.stream().flatMap(limit -> limit.apply(value).stream()).toList();
    }

    // ------------------------------------------------------------------ how a row is written

    /** Its description. */
    Setting<T> says(String text) {
        description = text;
        return this;
    }

    Setting<T> in(Place other) {
        place = other;
        return this;
    }

    Setting<T> declaredBy(DeclaredBy other) {
        declaredBy = other;
        return this;
    }

    /** How a definition keeps its value. */
    Setting<T> keptAs(UnaryOperator<T> other) {
        form = other;
        return this;
    }

    /** Members of its value that may be secrets. */
    Setting<T> hiding(Predicate<String> members) {
        secret = members;
        hides = true;
        return this;
    }

    /** Its value is passed on to the job's code. */
    Setting<T> passedOn() {
        parameter = true;
        return this;
    }

    Setting<T> onlyIf(Predicate<JobDefinition> other) {
        condition = other;
        return this;
    }

    /** Only for jobs of the kind that names it as its own. */
    Setting<T> onlyForItsKind() {
        return onlyIf(job -> KindRules.of(job.jobType()).settings().contains(this));
    }

    /** @param expected what the value should be, or what to do */
    Setting<T> refusing(Predicate<T> wrong, String expected) {
        return refusing(name, UnaryOperator.identity(), wrong, expected);
    }

    /**
     * @param part a part of the value, by its whole name
     * @param expected what it should be, or what to do
     */
    <P> Setting<T> refusing(String part, Function<T, P> of, Predicate<P> wrong, String expected) {
        return limitedBy(value -> {
            P found = of.apply(value);
            return wrong.test(found) ? List.of(new Violation(part, shown(found), expected)) : List.of();
        });
    }

    Setting<T> limitedBy(Function<T, List<Violation>> limit) {
        limits.add(limit);
        return this;
    }

    /** A job's value, for people. */
    public String shown(JobDefinition job) {
        return shown(job.get(this));
    }

    private static String shown(Object value) {
        if (value instanceof Optional<?> optional) {
            return optional.<String>map(Setting::shown).orElse("");
        }
        return value instanceof Duration duration ? WrittenDuration.of(duration) : value.toString();
    }

    /** The row at the end of those that are there. */
    Setting<T> addedTo(List<Setting<?>> rows) {
        index = rows.size();
        rows.add(this);
        return this;
    }
}
