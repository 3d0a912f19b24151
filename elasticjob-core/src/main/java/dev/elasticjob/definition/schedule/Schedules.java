package dev.elasticjob.definition.schedule;

import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The ways of writing schedules, in the order in which they are asked. */
final class Schedules {
    private static final List<ScheduleParser> PARSERS = Stream.of(
                    Stream.of(new OnRequest(), new BoundedSchedule.Parser()),
                    ServiceLoader.load(ScheduleParser.class, ScheduleParser.class.getClassLoader()).stream()
                            .map(ServiceLoader.Provider::get),
                    Stream.of(
                            new FixedRateSchedule.Parser(),
                            new OneTimeSchedule.Parser(),
                            new SeveralCrons.Parser(),
                            new Cron()))
            .<ScheduleParser>flatMap(parsers -> parsers)
            .toList();

    private Schedules() {}

    static ScheduleParser parserOf(String text) {
        return PARSERS.stream().filter(parser -> parser.reads(text)).findFirst().orElseThrow();
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
