package dev.elasticjob.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A filter by state is answered from a slow sweep over the namespace: what it reads, and what it says of its age. */
class JobsByStateTest {
    private static final Instant START = Instant.parse("2026-11-23T03:00:00Z");
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();
    private static final JobPage.Query NO_INSTANCE = JobPage.Query.all().withStatus(JobStatus.NO_INSTANCE);

    private final ManualTime time = new ManualTime(START);
    private final InMemoryEnsemble ensemble = new InMemoryEnsemble(time);
    private final Queue<Runnable> late = new ArrayDeque<>();
    /** Gives the registry's answers. */
    private Executor answers = Runnable::run;

    private final InMemoryRegistry registry = new InMemoryRegistry(ensemble, task -> answers.execute(task));
    private final JobInspector inspector = new RegistryJobInspector(registry, time, time, time::instant, TreeMap::new);

    private void write(int jobs) {
        for (int from = 0; from < jobs; from += 200) {
            RegistryCommit.Builder some = RegistryCommit.builder();
            IntStream.range(from, Math.min(jobs, from + 200))
                    .forEach(number -> add(some, "job-%05d".formatted(number)));
            get(registry.commit(some.build()));
        }
    }

    private static void add(RegistryCommit.Builder jobs, String name) {
        JobDefinition job = JobDefinition.builder(name)
                .cron("0 0 4 * * ?")
                .shardingTotalCount(1)
                .build();
        JobTree tree = new JobTree(name);
        jobs.create(tree.root());
        tree.parents().forEach(jobs::create);
        jobs.create(tree.config(), CODEC.config(job, Optional.empty()))
                .create(tree.extension(), CODEC.extension(job, Optional.empty()))
                .create(tree.sharding())
                .create(tree.item(0));
    }

    /** From now on, the registry takes its time. */
    private void delayAnswers() {
        answers = late::add;
    }

    private <T> T getLate(CompletionStage<T> answer) {
        while (!late.isEmpty()) {
            late.remove().run();
        }
        return get(answer);
    }

    private static <T> T get(CompletionStage<T> answer) {
        return answer.toCompletableFuture().join();
    }

    private long requestsOf(Runnable action) {
        long before = ensemble.requests();
        action.run();
        return ensemble.requests() - before;
    }

    /** Asks every five seconds, as an impatient person may do. */
    private void askFor(Duration duration) {
        for (long second = 0; second < duration.toSeconds(); second += 5) {
            get(inspector.page(NO_INSTANCE));
            time.advance(Duration.ofSeconds(5));
        }
    }

    @Test
    void tenThousandJobsAreReadInPartsAtFiveRequestsASecond() {
        write(10_000);

        long first = requestsOf(() -> get(inspector.page(NO_INSTANCE)));
        long tenSeconds = requestsOf(() -> askFor(Duration.ofSeconds(10)));
        long rest = requestsOf(() -> askFor(Duration.ofSeconds(35)));
        JobPage whole = get(inspector.page(NO_INSTANCE));

        assertThat(first).isEqualTo(1 + 500 / 50);
        assertThat(tenSeconds).isPositive().isLessThanOrEqualTo(10 * 5 + 10);
        assertThat(first + tenSeconds + rest).isEqualTo(1 + 10_000 / 50);
        assertThat(whole.names()).isEqualTo(10_000);
        assertThat(whole.swept()).hasValueSatisfying(swept -> {
            assertThat(swept.complete()).isTrue();
            assertThat(swept.jobs()).isEqualTo(10_000);
            assertThat(swept.oldest()).hasValue(START);
        });
    }

    @Test
    void theFirstAnswerSaysHowMuchItIsOf() {
        write(700);

        JobPage page = get(inspector.page(NO_INSTANCE));

        assertThat(page.jobs()).hasSize(50);
        assertThat(page.names()).isEqualTo(500);
        assertThat(page.next()).hasValue("job-00049");
        assertThat(page.swept()).hasValueSatisfying(swept -> {
            assertThat(swept.jobs()).isEqualTo(500);
            assertThat(swept.of()).isEqualTo(700);
            assertThat(swept.complete()).isFalse();
        });
    }

    @Test
    void pagesAndNamesAreOfTheJobsInTheState() {
        write(120);
        RegistryCommit.Builder removed = RegistryCommit.builder();
        for (int job = 1; job < 120; job += 2) {
            JobTree tree = new JobTree("job-%05d".formatted(job));
            removed.delete(tree.config(), 0).delete(tree.extension(), 0);
        }
        get(registry.commit(removed.build()));

        JobPage page = get(inspector.page(NO_INSTANCE.named("JOB-000").after("job-00050")));
        JobPage none = get(inspector.page(JobPage.Query.all().withStatus(JobStatus.READY)));

        assertThat(page.jobs()).hasSize(24).extracting(JobReport::name).startsWith("job-00052");
        assertThat(page.names()).isEqualTo(50);
        assertThat(page.swept())
                .hasValueSatisfying(swept -> assertThat(swept.complete()).isTrue());
        assertThat(page.next()).isEmpty();
        assertThat(none.jobs()).isEmpty();
    }

    @Test
    void nothingIsReadWhenNobodyAsks() {
        write(10_000);
        get(inspector.page(NO_INSTANCE));

        long afterwards = requestsOf(() -> time.advance(Duration.ofMinutes(1)));
        long later = requestsOf(() -> time.advance(Duration.ofDays(1)));

        assertThat(afterwards).isPositive().isLessThanOrEqualTo(30 * 5 + 10);
        assertThat(later).isZero();
        assertThat(time.nextTask()).isEmpty();
    }

    @Test
    void whatNobodyHasAskedForInAWhileIsReadAnew() {
        write(1);
        get(inspector.page(NO_INSTANCE));
        RegistryCommit.Builder later = RegistryCommit.builder();
        add(later, "later");
        get(registry.commit(later.build()));

        JobPage soon = get(inspector.page(NO_INSTANCE));
        time.advance(Duration.ofSeconds(31));
        delayAnswers();
        CompletionStage<JobPage> asked = inspector.page(NO_INSTANCE);

        assertThat(asked.toCompletableFuture()).isNotDone();
        JobPage anew = getLate(asked);
        assertThat(soon.names()).isEqualTo(1);
        assertThat(anew.names()).isEqualTo(2);
        assertThat(anew.swept())
                .hasValueSatisfying(swept -> assertThat(swept.oldest()).hasValue(START.plusSeconds(31)));
    }

    @Test
    void aFailureIsAnsweredAndTheNextQuestionReadsAgain() {
        write(1);
        get(inspector.page(NO_INSTANCE));
        time.advance(Duration.ofSeconds(11));
        registry.disconnect();

        CompletionStage<JobPage> failed = inspector.page(NO_INSTANCE);
        registry.reconnect();
        delayAnswers();
        JobPage page = getLate(inspector.page(NO_INSTANCE));

        assertThatThrownBy(() -> get(failed)).hasCauseInstanceOf(RegistryUnavailableException.class);
        assertThat(page.names()).isEqualTo(1);
    }

    @Test
    void aNamespaceWithoutJobsIsAnswered() {
        JobPage page = get(inspector.page(NO_INSTANCE));

        assertThat(page.jobs()).isEmpty();
        assertThat(page.swept())
                .hasValueSatisfying(swept -> assertThat(swept.complete()).isTrue());
    }
}
