package dev.elasticjob.definition.schedule;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cron expression as Quartz reads it, and its translation for here, where some of it means something else: days of the
 * week count from SUN=1 in Quartz, and it ignores much of what it doesn't understand. {@code docs/guide/time.md} has the
 * whole list.
 *
 * <p>Only translates text: it neither computes firings nor validates the expression.
 *
 * @param fields in upper case; Quartz has six or seven
 */
record QuartzExpression(List<String> fields) {
    private static final String ANY = "*";

    QuartzExpression {
        fields = List.copyOf(fields);
    }

    static QuartzExpression parse(String expression) {
        return new QuartzExpression(
                List.of(expression.strip().toUpperCase(Locale.ROOT).split("\\s+")));
    }

    boolean isComplete() {
        return hasYear() || fields.size() == CronField.YEAR.index();
    }

    boolean hasYear() {
        return fields.size() == CronField.YEAR.index() + 1;
    }

    String field(CronField field) {
        return fields.get(field.index());
    }

    /** The field as it is written here. */
    String translated(CronField field) {
        return QuartzField.read(field, field(field)).text();
    }

    /** Without a year if it is any. Fields that can't be written for here stay as they are. */
    String translated() {
        return joined(known().map(this::translated).toList());
    }

    boolean isForEveryYear() {
        return hasYear() && translated(CronField.YEAR).equals(ANY);
    }

    /** The first six fields as they are. */
    String withoutYear() {
        return String.join(" ", fields.subList(0, CronField.YEAR.index()));
    }

    private String joined(List<String> translated) {
        return String.join(" ", isForEveryYear() ? translated.subList(0, CronField.YEAR.index()) : translated);
    }

    /** Why the translation has other fields; empty if it is only written differently. */
    String reasons() {
        return known().flatMap(field -> QuartzField.read(field, field(field)).reasons().stream())
                .distinct()
                .collect(Collectors.joining("; "));
    }

    Stream<CronField> known() {
        return Stream.of(CronField.values()).limit(fields.size());
    }
}
