package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.definition.schedule.ScheduleParser;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A further way of writing schedules is one class, {@link EachSeconds}, and one line in {@code META-INF/services}. Plans,
 * former schedules and reports have it like any other.
 */
class FurtherScheduleTest {
    private final SimulatedCluster cluster = new SimulatedCluster(3);

    @Test
    void aJobFiresByItAndEachInstanceReadsItFromThePlan() {
        cluster.start("a@-@1", job("each 90 s"));
        cluster.start("b@-@1", job("each 90 s"));
        Instant from = cluster.now();
        cluster.pass(Duration.ofMinutes(6));

        assertThat(cluster.executions().stream()
                        .map(SimulatedCluster.Execution::scheduledAt)
                        .filter(from::isBefore)
                        .distinct())
                .containsExactlyElementsOf(Stream.iterate(next(from), FurtherScheduleTest::next)
                        .takeWhile(time -> !time.isAfter(cluster.now()))
                        .toList());
        assertThat(cluster.get(cluster.inspector().job("orders"))
                        .orElseThrow()
                        .schedule()
                        .orElseThrow()
                        .text())
                .contains("each 90 s");
    }

    @Test
    void firingsThatAreOwedUnderItStayOwedWhenItIsReplaced() {
        cluster.start("a@-@1", job("each 90 s"));
        cluster.pass(Duration.ofMinutes(2));
        cluster.stop("a@-@1");
        cluster.pass(Duration.ofMinutes(2));
        Instant owed = cluster.now();
        cluster.start("a@-@2", job("0 0 3 * * ?").toBuilder().overwrite(true).build());
        cluster.pass(Duration.ofMinutes(1));

        assertThat(cluster.executions()).last().satisfies(execution -> {
            assertThat(execution.instance()).isEqualTo("a@-@2");
            assertThat(execution.scheduledAt()).isBetween(owed.minusSeconds(90), owed);
        });
    }

    @Test
    void itsParserSaysWhatIsWrongWithAText() {
        assertThatThrownBy(() -> job("each s"))
                .isInstanceOf(InvalidJobDefinitionException.class)
                .hasMessageContaining("cron is \"each s\": expected a number of seconds, as in \"each 90 s\"");
    }

    private static Instant next(Instant time) {
        return Schedule.of("each 90 s", ZoneOffset.UTC).nextAfter(time).orElseThrow();
    }

    private static JobDefinition job(String schedule) {
        return JobDefinition.builder("orders")
                .cron(schedule)
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(2)
                .build();
    }

    /** {@code each 90 s}: every so many seconds, counted from 1970. */
    public static final class EachSeconds implements ScheduleParser {
        @Override
        public boolean reads(String text) {
            return text.startsWith("each ");
        }

        @Override
        public Schedule parse(String text, ZoneId zone) {
            try {
                return new Each(text, zone, Long.parseLong(text.substring(5, text.length() - 2)));
            } catch (RuntimeException e) {
                throw new IllegalArgumentException("expected a number of seconds, as in \"each 90 s\"", e);
            }
        }
    }

    private record Each(String text, ZoneId zone, long seconds) implements Schedule {
        @Override
        public Optional<Instant> nextAfter(Instant moment) {
            return Optional.of(at(Math.floorDiv(moment.getEpochSecond(), seconds) + 1));
        }

        @Override
        public Optional<Instant> latestNotAfter(Instant moment) {
            return Optional.of(at(Math.floorDiv(moment.getEpochSecond(), seconds)));
        }

        @Override
        public long countBetween(Instant exclusiveStart, Instant exclusiveEnd, int limit) {
            return Stream.iterate(
                            nextAfter(exclusiveStart).orElseThrow(),
                            time -> nextAfter(time).orElseThrow())
                    .takeWhile(exclusiveEnd::isAfter)
                    .limit(limit)
                    .count();
        }

        private Instant at(long count) {
            return Instant.ofEpochSecond(count * seconds);
        }
    }
}
