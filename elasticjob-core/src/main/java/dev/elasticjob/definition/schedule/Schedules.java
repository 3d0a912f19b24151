package dev.elasticjob.definition.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The ways of writing schedules, in the order in which they are asked. */
final class Schedules {
    /** What people write as the cron of a job. */
    private static final List<ScheduleParser> OF_CRON = Stream.of(
                    Stream.of(new OnRequest()),
                    ServiceLoader.load(ScheduleParser.class, ScheduleParser.class.getClassLoader()).stream()
                            .map(ServiceLoader.Provider::get),
                    Stream.of(new SeveralCrons.Parser(), new Cron()))
            .<ScheduleParser>flatMap(parsers -> parsers)
            .toList();

    /** The others are made of settings of their own. */
    private static final List<ScheduleParser> ALL = Stream.concat(
                    Stream.of(
                            new BoundedSchedule.Parser(),
                            new CalendarSchedule.Parser(),
                            new ShiftedSchedule.Parser(),
                            new FixedRateSchedule.Parser(),
                            new FixedDelaySchedule.Parser(),
                            new OneTimeSchedule.Parser()),
                    OF_CRON.stream())
            .toList();

    private Schedules() {}

    /** Counts as {@link Schedule#countBetween} does, from one firing to the next. */
    static long walked(Schedule schedule, Instant exclusiveStart, Instant exclusiveEnd, int limit) {
        return schedule.firingsAfter(exclusiveStart)
                .limit(limit)
                .takeWhile(exclusiveEnd::isAfter)
                .count();
    }

    static ScheduleParser parserOf(String text) {
        return first(ALL, text);
    }

    static ScheduleParser parserOfCron(String text) {
        return first(OF_CRON, text);
    }

    private static ScheduleParser first(List<ScheduleParser> parsers, String text) {
        return parsers.stream().filter(parser -> parser.reads(text)).findFirst().orElseThrow();
    }

    /** No text: the job runs only on request. */
    private static final class OnRequest implements ScheduleParser {
        @Override
        public boolean reads(String text) {
            return text.isEmpty();
        }

        @Override
        public Schedule parse(String text, ZoneId zone) {
            return new ManualSchedule(zone);
        }
    }

    /** Every text that no other parser reads. */
    private static final class Cron implements ScheduleParser {
        @Override
        public boolean reads(String text) {
            return true;
        }

        @Override
        public Schedule parse(String text, ZoneId zone) {
            return CronSchedule.parse(text, zone);
        }

        @Override
        public Optional<String> problem(String text, ZoneId zone) {
            return CronSchedule.problem(text, zone);
        }
    }
}
