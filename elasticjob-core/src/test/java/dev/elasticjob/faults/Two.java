package dev.elasticjob.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.faults.Happening.Kind;
import java.time.Duration;
import java.time.Instant;

/** A victim and a survivor with an item each, and the execution that goes from the one to the other. */
record Two(FaultCluster cluster, String victim, String survivor) {

    void awaitTakeover() {
        cluster.await("the take-over", all -> all.stream().anyMatch(this::isTakeover));
    }

    void awaitEndOfFirstAttempt() {
        Happening takeover = takeover();
        cluster.await(
                "the end of the interrupted execution",
                all -> all.stream()
                        .anyMatch(one -> one.is(Kind.END)
                                && one.process().equals(victim)
                                && one.firing().equals(takeover.firing())));
    }

    /** @return the firing that was taken over */
    Instant awaitEndOfTakeover() {
        Happening takeover = takeover();
        cluster.await(
                "the end of the take-over",
                all -> all.stream()
                        .anyMatch(one -> one.is(Kind.END)
                                && one.attempt() == takeover.attempt()
                                && one.firing().equals(takeover.firing())));
        return takeover.firing();
    }

    /** What the victim ran, and the survivor ran again. */
    Execution firstAttempt() {
        Happening takeover = takeover();
        return cluster.history().executions().stream()
                .filter(one -> one.item() == takeover.item() && one.firing().equals(takeover.firing()))
                .filter(one -> one.attempt() < takeover.attempt())
                .findFirst()
                .orElseThrow();
    }

    /** The promise of one at a time, and how much room there was. */
    void judgedWithMargin(Verdict verdict) {
        Execution first = firstAttempt();
        Duration margin = Duration.between(first.end(), takeover().at());
        FaultTest.judged(cluster, verdict, "interrupted " + margin.toMillis() + " ms before another instance began");
        assertThat(first.whole()).isFalse();
        assertThat(margin).isPositive();
    }

    private boolean isTakeover(Happening one) {
        return one.is(Kind.START) && one.process().equals(survivor) && one.attempt() == 2;
    }

    private Happening takeover() {
        return cluster.history().told().stream()
                .filter(this::isTakeover)
                .findFirst()
                .orElseThrow();
    }
}
