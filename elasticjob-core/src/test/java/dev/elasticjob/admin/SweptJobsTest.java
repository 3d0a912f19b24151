package dev.elasticjob.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.Attention.Checked;
import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.Attention.Finding.Kind;
import dev.elasticjob.admin.JobPage.Query;
import dev.elasticjob.admin.JobPage.Sort;
import dev.elasticjob.admin.explain.Fact;
import dev.elasticjob.admin.explain.Remedy;
import dev.elasticjob.coordination.state.ItemState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Orders and filters of a list of jobs of which a sweep has read everything. */
class SweptJobsTest {
    private static final Instant AT = Instant.parse("2026-11-23T03:00:00Z");

    private static final List<Checked> JOBS = List.of(
            job("running", JobStatus.READY, 2, AT.plusSeconds(60), items(3, ItemState.RUNNING, null)),
            job("healthy", JobStatus.READY, 1, null, items(10, ItemState.COMPLETED, AT.minusSeconds(60))),
            job("new", JobStatus.READY, 5, AT.plusSeconds(5), items(7, ItemState.NEW, null)),
            job("paused", JobStatus.PAUSED, 4, null, items(4, ItemState.FAILED, AT.minusSeconds(40))),
            job("disabled", JobStatus.DISABLED, 4, null, items(4, ItemState.COMPLETED, AT.minusSeconds(50))),
            job(
                    "short",
                    JobStatus.READY,
                    3,
                    null,
                    items(1, ItemState.FAILED, AT),
                    since(Kind.FAILED, AT.minusSeconds(9))),
            job(
                    "long",
                    JobStatus.READY,
                    3,
                    null,
                    items(2, ItemState.FAILED, AT),
                    since(Kind.FAILED, AT.minusSeconds(90))),
            job("nowhere", JobStatus.NO_INSTANCE, 0, AT, items(2, ItemState.NEW, null), since(Kind.NO_INSTANCE, AT)));

    private static ItemSummary items(int count, ItemState state, @Nullable Instant ended) {
        return new ItemSummary(count, state, count, Optional.ofNullable(ended));
    }

    private static Finding since(Kind kind, Instant at) {
        return new Finding(
                "",
                kind,
                new TreeSet<>(),
                Optional.of(at),
                Optional.empty(),
                Fact.NOBODY_LEADS.of(),
                Remedy.WAIT_FOR_LEADER.of());
    }

    private static Checked job(
            String name,
            JobStatus status,
            int instances,
            @Nullable Instant next,
            ItemSummary items,
            Finding... findings) {
        JobReport job = new JobReport(
                name,
                Optional.empty(),
                Optional.empty(),
                Optional.ofNullable(next),
                Optional.empty(),
                status,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                1,
                false,
                IntStream.range(0, instances).mapToObj(Integer::toString).toList(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty());
        return new Checked(job, items, List.of(findings));
    }

    private static Swept<Checked> swept(List<Checked> jobs) {
        List<Checked> shuffled = new ArrayList<>(jobs);
        Collections.shuffle(shuffled, new Random(7));
        return new Swept<>(
                shuffled.stream().map(job -> new Swept.Entry<>(job, AT)).toList(),
                new Swept.Progress(jobs.size(), jobs.size(), true, Optional.of(AT)));
    }

    private static List<String> names(JobPage page) {
        return page.jobs().stream().map(JobReport::name).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "NAME,        false, disabled healthy long new nowhere paused running short",
        "NAME,        true,  short running paused nowhere new long healthy disabled",
        "CONDITION,   false, nowhere long short paused disabled running new healthy",
        "CONDITION,   true,  healthy new running disabled paused short long nowhere",
        "ENDED,       false, healthy disabled paused long short new nowhere running",
        "ENDED,       true,  long short paused disabled healthy new nowhere running",
        "NEXT_FIRING, false, nowhere new running disabled healthy long paused short",
        "NEXT_FIRING, true,  running new nowhere disabled healthy long paused short",
        "ITEMS,       false, short long nowhere running disabled paused new healthy",
        "ITEMS,       true,  healthy new disabled paused running long nowhere short",
        "INSTANCES,   false, nowhere healthy running long short disabled paused new",
        "INSTANCES,   true,  new disabled paused long short running healthy nowhere"
    })
    void jobsAreInTheOrderThatWasAskedForAndThoseWithoutAValueAreLast(Sort sort, boolean descending, String expected) {
        JobPage page = SweptJobs.page(swept(JOBS), Query.all().sorted(sort, descending));

        assertThat(String.join(" ", names(page))).isEqualTo(expected);
        assertThat(page.next()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "TROUBLED, long nowhere short",
        "STOPPED,  disabled paused",
        "RUNNING,  running",
        "NEW,      new",
        "HEALTHY,  healthy"
    })
    void eachJobIsOneThingToAPerson(JobCondition condition, String expected) {
        Query query = Query.all().withCondition(condition);

        assertThat(String.join(" ", names(SweptJobs.page(swept(JOBS), query)))).isEqualTo(expected);
        assertThat(String.join(
                        " ", SweptJobs.names(swept(JOBS), query.named("N")).names()))
                .isEqualTo(String.join(
                        " ",
                        List.of(expected.split(" ")).stream()
                                .filter(name -> name.contains("n"))
                                .toList()));
    }

    @ParameterizedTest
    @CsvSource({"NAME, false", "NAME, true", "ITEMS, false", "ITEMS, true"})
    void pagesFollowEachOtherAndLoseNothing(Sort sort, boolean descending) {
        List<Checked> many = IntStream.range(0, 130)
                .mapToObj(number -> job(
                        "job-%03d".formatted(number),
                        JobStatus.READY,
                        1,
                        null,
                        items(number % 3, ItemState.COMPLETED, null)))
                .toList();
        Query query = Query.all().sorted(sort, descending);
        List<String> read = new ArrayList<>();

        JobPage page = SweptJobs.page(swept(many), query);
        read.addAll(names(page));
        while (page.next().isPresent()) {
            page = SweptJobs.page(swept(many), query.after(page.next().get()));
            read.addAll(names(page));
        }

        assertThat(page.names()).isEqualTo(130);
        assertThat(read).hasSize(130).doesNotHaveDuplicates();
        assertThat(names(SweptJobs.page(swept(many), query.after("999"))))
                .hasSize(sort == Sort.NAME && !descending ? 50 : 0);
    }

    @Test
    void aPageOfAnotherOrderIsRefused() {
        assertThatThrownBy(() -> SweptJobs.page(
                        swept(JOBS), Query.all().sorted(Sort.ITEMS, false).after("orders")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("but it was \"orders\"");
    }
}
