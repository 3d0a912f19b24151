package dev.elasticjob.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.event.JobEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.api.Trigger;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What docs/guide/fencing.md promises, with the page's own table and the page's own job. */
class FencingGuideTest {
    private static final String DATABASE = "jdbc:h2:mem:fencing";
    private static final Path PAGE = Path.of("..", "docs", "guide", "fencing.md");
    private static final Path JOB = Path.of("src/test/java/dev/elasticjob/engine/OrderTotals.java");
    private static final Duration TO_THE_FIRING = Duration.ofSeconds(10);
    private static final JobDefinition DAILY = JobDefinition.builder("totals")
            .cron("8 0 0 * * ?")
            .timeZone(ZoneOffset.UTC)
            .shardingTotalCount(1)
            .failover(true)
            .build();

    private final JdbcDataSource database = new JdbcDataSource();
    private final List<String> executed = new ArrayList<>();
    private final List<Long> tokens = new ArrayList<>();
    private Connection connection;

    @BeforeEach
    void createTheTable() throws Exception {
        database.setURL(DATABASE);
        connection = database.getConnection();
        sql(theOnly("sql"));
    }

    @AfterEach
    void forgetTheTable() throws SQLException {
        sql("SHUTDOWN");
        connection.close();
    }

    @Test
    void thePageShowsTheJobThatIsTestedHere() throws Exception {
        String source = Files.readString(JOB);

        assertThat(theOnly("java")).isEqualTo(source.substring(source.indexOf("final class OrderTotals")));
    }

    /** The first one dozes between its last look at its lease and its write, until the second one has done the work. */
    @Test
    void whatAnEarlierExecutionWritesAfterALaterOneChangesNothing() throws Exception {
        SimulatedCluster cluster = new SimulatedCluster(5);
        join(cluster, "a@-@1");
        join(cluster, "b@-@1");

        cluster.pass(TO_THE_FIRING);

        assertThat(executed).hasSize(2).doesNotHaveDuplicates();
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        assertThat(rowOf(0)).isEqualTo(new Row(tokens.get(1), 6));
        assertThat(failures(cluster)).singleElement().asString().contains("Item 0 has been started again");
    }

    private void join(SimulatedCluster cluster, String instance) {
        cluster.start(
                instance,
                DAILY,
                context -> {
                    executed.add(instance);
                    tokens.add(context.getFencingToken());
                    if (executed.size() == 1) {
                        run(contextOf(context, () -> dozeUntilTakenOver(cluster, instance)), 100L);
                    } else {
                        run(context, 1L, 2L, 3L);
                    }
                },
                builder -> builder.onSessionLoss(SessionLoss.CONTINUE));
    }

    private static boolean dozeUntilTakenOver(SimulatedCluster cluster, String instance) {
        cluster.expire(instance);
        cluster.pass(Duration.ofSeconds(10));
        return false;
    }

    @Test
    void anEarlierExecutionThatHasNotWrittenYetIsShutOutByTheFirstWriteOfALaterOne() throws Exception {
        run(context(0, 8), 5L);

        assertThatThrownBy(() -> run(context(0, 7), 100L)).hasMessageContaining("with token 7");

        assertThat(rowOf(0)).isEqualTo(new Row(8, 5));
    }

    @Test
    void aLaterExecutionBeginsAnew() throws Exception {
        run(context(0, 7), 100L);

        run(context(0, 8), 5L);

        assertThat(rowOf(0)).isEqualTo(new Row(8, 5));
    }

    @Test
    void itemsOfOneClaimShareATokenAndDoNotShutEachOtherOut() throws Exception {
        run(context(0, 7), 1L, 2L);
        run(context(1, 7), 10L, 20L);

        assertThat(rowOf(0)).isEqualTo(new Row(7, 3));
        assertThat(rowOf(1)).isEqualTo(new Row(7, 30));
    }

    @Test
    void whoeverIsAskedToStopWritesNoMore() throws Exception {
        assertThatThrownBy(() -> run(context(0, 7, () -> true), 1L)).isInstanceOf(InterruptedException.class);

        assertThat(rowOf(0)).isEqualTo(new Row(7, 0));
    }

    @Test
    void withoutMonitoringNothingIsWritten() {
        assertThatThrownBy(() -> run(context(0, 0), 1L)).hasMessageContaining("with token 0");
    }

    @Test
    void aRowThatAnotherInsertsAtTheSameMomentIsNoFailure() throws Exception {
        sql("CREATE TRIGGER faster BEFORE INSERT ON order_total FOR EACH ROW CALL '%s'"
                .formatted(Faster.class.getName()));

        run(context(0, 7), 1L);

        assertThat(rowOf(0)).isEqualTo(new Row(7, 1));
    }

    /** Inserts the row that is about to be inserted, on a connection of its own. */
    public static final class Faster implements Trigger {
        @Override
        public void fire(Connection inserting, Object[] before, Object[] row) throws SQLException {
            boolean itsOwn = row[1].equals(-1L);
            if (!itsOwn) {
                try (Connection other = DriverManager.getConnection(DATABASE);
                        Statement statement = other.createStatement()) {
                    statement.execute(
                            "INSERT INTO order_total (item, token, total) VALUES (%s, -1, 0)".formatted(row[0]));
                }
            }
        }
    }

    // ------------------------------------------------------------------ helpers

    private record Row(long token, long total) {}

    private Row rowOf(int item) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT token, total FROM order_total WHERE item = " + item)) {
            assertThat(rows.next()).isTrue();
            return new Row(rows.getLong("token"), rows.getLong("total"));
        }
    }

    private void sql(String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    private void run(ShardingContext context, Long... amounts) throws Exception {
        new OrderTotals(database, item -> List.of(amounts)).execute(context);
    }

    /** The one block of a language in the page. */
    private static String theOnly(String language) throws Exception {
        Matcher block =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        assertThat(block.find()).as("a block of %s in %s", language, PAGE).isTrue();
        return block.group(1);
    }

    private static List<Throwable> failures(SimulatedCluster cluster) {
        return cluster.events().stream()
                .filter(JobEvent.ItemFinished.class::isInstance)
                .flatMap(event -> ((JobEvent.ItemFinished) event).failure().stream())
                .toList();
    }

    private static ShardingContext context(int item, long token) {
        return context(item, token, () -> false);
    }

    private static ShardingContext context(int item, long token, BooleanSupplier leaseLost) {
        return new Known(item, token, leaseLost);
    }

    private static ShardingContext contextOf(ShardingContext context, BooleanSupplier leaseLost) {
        return context(context.getShardingItem(), context.getFencingToken(), leaseLost);
    }

    /** A context of which only the fencing matters. */
    private record Known(int item, long token, BooleanSupplier leaseLost) implements ShardingContext {
        @Override
        public String getJobName() {
            return DAILY.jobName();
        }

        @Override
        public String getTaskId() {
            return DAILY.jobName() + "@-@" + item + "@-@" + token;
        }

        @Override
        public String getRunId() {
            return DAILY.jobName() + "@" + Instant.EPOCH;
        }

        @Override
        public int getShardingTotalCount() {
            return DAILY.shardingTotalCount();
        }

        @Override
        public String getJobParameter() {
            return "";
        }

        @Override
        public int getShardingItem() {
            return item;
        }

        @Override
        public String getShardingParameter() {
            return "";
        }

        @Override
        public String getRunParameter() {
            return "";
        }

        @Override
        public Instant getScheduledTime() {
            return Instant.EPOCH;
        }

        @Override
        public int getAttempt() {
            return 1;
        }

        @Override
        public long getFencingToken() {
            return token;
        }

        @Override
        public boolean isLeaseLost() {
            return leaseLost.getAsBoolean();
        }

        @Override
        public Optional<String> getLastCheckpoint() {
            return Optional.empty();
        }

        @Override
        public void checkpoint(String text) {
            throw new UnsupportedOperationException("nothing is kept here");
        }
    }
}
