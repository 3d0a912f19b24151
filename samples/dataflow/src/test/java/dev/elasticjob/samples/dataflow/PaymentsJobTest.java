package dev.elasticjob.samples.dataflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.test.ElasticJobCluster;
import dev.elasticjob.spring.test.ElasticJobTest;
import dev.elasticjob.spring.test.Firing;
import dev.elasticjob.spring.test.Jobs;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.core.simple.JdbcClient;

@ElasticJobTest
class PaymentsJobTest {
    @Autowired
    private Payments payments;

    @Autowired
    private WatchedBank bank;

    @BeforeEach
    void openAll(@Autowired JdbcClient database) {
        database.sql("UPDATE payment SET state = 'OPEN'").update();
    }

    @AfterEach
    void forget() {
        bank.forget();
    }

    @Test
    void aFiringSendsEveryPaymentOnce(Jobs jobs) {
        Firing firing = jobs.fireOnSchedule("payments");

        assertThat(firing).succeeded();
        assertThat(payments.countOpen()).isZero();
        assertThat(bank.sent())
                .hasSize(DataflowApplication.PAYMENTS)
                .allSatisfy((id, times) -> assertThat(times).hasValue(1));
    }

    @Test
    void anInstanceThatDiesInTheMiddleOfABatchLeavesTheRestToAnother(Jobs jobs, ElasticJobCluster cluster) {
        cluster.start("b");
        AtomicBoolean killed = new AtomicBoolean();
        bank.before(payment -> {
            if (bank.sent().size() > 500 && !killed.getAndSet(true)) {
                cluster.kill("b");
            }
        });

        Firing firing = jobs.fireOnSchedule("payments");

        assertThat(firing).succeeded();
        assertThat(payments.countOpen()).isZero();
        assertThat(bank.sent()).hasSize(DataflowApplication.PAYMENTS);
        List<Long> twice = bank.sent().entrySet().stream()
                .filter(payment -> payment.getValue().get() > 1)
                .map(Map.Entry::getKey)
                .toList();
        assertThat(twice).as("those that were on their way when it died").hasSizeLessThanOrEqualTo(2);
    }

    /** Counts what it is asked to send. */
    static final class WatchedBank implements Bank {
        private final Map<Long, AtomicInteger> sent = new ConcurrentHashMap<>();
        private volatile Bank before = payment -> {};

        @Override
        public void send(Payment payment) {
            before.send(payment);
            sent.computeIfAbsent(payment.id(), any -> new AtomicInteger()).incrementAndGet();
        }

        void before(Bank each) {
            before = each;
        }

        Map<Long, AtomicInteger> sent() {
            return sent;
        }

        void forget() {
            before = payment -> {};
            sent.clear();
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Watching {
        @Bean
        @Primary
        WatchedBank watchedBank() {
            return new WatchedBank();
        }
    }
}
