package dev.elasticjob.definition.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Fires when one of several cron expressions does, and once where several do. */
record SeveralCrons(String text, List<CronSchedule> crons) implements Schedule {
    private static final String SEPARATOR = ";";

    SeveralCrons {
        crons = List.copyOf(crons);
    }

    @Override
    public ScheduleKind kind() {
        return ScheduleKind.CRON;
    }

    @Override
    public ZoneId zone() {
        return crons.get(0).zone();
    }

    @Override
    public Optional<Instant> nextAfter(Instant moment) {
        return crons.stream().flatMap(cron -> cron.nextAfter(moment).stream()).min(Comparator.naturalOrder());
    }

    @Override
    public Optional<Instant> latestNotAfter(Instant moment) {
        return crons.stream()
                .flatMap(cron -> cron.latestNotAfter(moment).stream())
                .max(Comparator.naturalOrder());
    }

    @Override
    public long countBetween(Instant exclusiveStart, Instant exclusiveEnd, int limit) {
        return Schedules.walked(this, exclusiveStart, exclusiveEnd, limit);
    }

    /** Reads {@code 0 0 9 * * ?; 0 30 17 * * ?}. */
    static final class Parser implements ScheduleParser {
        @Override
        public boolean reads(String text) {
            return text.contains(SEPARATOR);
        }

        @Override
        public Schedule parse(String text, ZoneId zone) {
            List<CronSchedule> crons =
                    parts(text).map(part -> CronSchedule.parse(part, zone)).toList();
            return new SeveralCrons(text, crons);
        }

        @Override
        public Optional<String> problem(String text, ZoneId zone) {
            return parts(text)
                    .flatMap(part ->
                            CronSchedule.problem(part, zone)
                                    .map(problem -> "\"%s\": %s".formatted(part, problem))
                                    .stream())
                    .findFirst();
        }

        /** An empty part is one, so that it is refused. */
        private static Stream<String> parts(String text) {
            return Stream.of(text.split(SEPARATOR, -1)).map(String::strip);
        }
    }
}
