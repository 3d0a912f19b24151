package dev.elasticjob.definition.schedule;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A field of a cron expression as Quartz reads it.
 *
 * @param text what selects the same here; the field as it is if Quartz can't read it, or never fires by it
 * @param reasons why this is another text than the field; empty if both mean the same here
 */
record QuartzField(String text, List<String> reasons) {
    private static final String NONE = "?";

    QuartzField {
        reasons = List.copyOf(reasons);
    }

    static QuartzField read(CronField field, String text) {
        List<String> written = List.of(text.split(",", -1));
        List<Optional<QuartzPart>> read = written.stream()
                .filter(part -> !part.isEmpty())
                .map(part -> QuartzPart.read(field, part))
                .toList();
        if (read.stream().anyMatch(Optional::isEmpty)) {
            return new QuartzField(text, List.of());
        }
        List<QuartzPart> parts = read.stream().flatMap(Optional::stream).toList();
        Stream<String> gaps = parts.size() < written.size() ? Stream.of("Quartz ignores empty parts") : Stream.empty();
        Stream<String> reasons = parts.stream().flatMap(part -> part.reason().stream());
        return ofAll(text, parts).because(Stream.concat(gaps, reasons));
    }

    private static QuartzField ofAll(String text, List<QuartzPart> parts) {
        if (parts.size() > 1) {
            if (parts.stream().anyMatch(part -> part.text().equals(NONE))) {
                return new QuartzField(NONE, List.of("in \"%s\", Quartz takes \"?\" alone".formatted(text)));
            }
            Optional<String> nth = parts.stream()
                    .map(QuartzPart::text)
                    .filter(part -> part.contains("#"))
                    .findFirst();
            if (nth.isPresent()) {
                String one = firstDay(parts) + nth.get().substring(nth.get().indexOf('#'));
                return new QuartzField(one, List.of("in \"%s\", Quartz takes \"%s\" alone".formatted(text, one)));
            }
        }
        String all = parts.stream()
                .map(QuartzPart::text)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(","));
        return new QuartzField(all.isEmpty() ? text : all, List.of());
    }

    private static String firstDay(List<QuartzPart> parts) {
        return CronField.DAY_OF_WEEK.written(
                parts.stream().mapToInt(QuartzPart::firstDay).min().orElseThrow());
    }

    private QuartzField because(Stream<String> more) {
        return new QuartzField(
                text, Stream.concat(reasons.stream(), more).distinct().toList());
    }
}
