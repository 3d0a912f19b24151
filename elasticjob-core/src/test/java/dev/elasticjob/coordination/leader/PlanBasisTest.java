package dev.elasticjob.coordination.leader;

import static dev.elasticjob.coordination.Samples.NOON;
import static dev.elasticjob.coordination.Samples.THEM;
import static dev.elasticjob.coordination.Samples.US;
import static dev.elasticjob.coordination.Samples.definition;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.Samples;
import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.view.Members;
import dev.elasticjob.coordination.view.Members.Member;
import dev.elasticjob.definition.JobDefinition;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What makes an assignment out of date, and what doesn't. */
class PlanBasisTest {
    private static final Member OURS = Samples.member(US, "10.0.0.1", 10);
    private static final Member THEIRS = Samples.member(THEM, "10.0.0.2", 11);
    private static final PlanBasis BASIS = basis(List.of(OURS, THEIRS), Set.of());

    @Test
    void whatWasPlannedFromThisBasisIsUpToDate() {
        Assignment planned =
                Samples.assignment(definition().build(), NOON).withOwners(Samples.owners(3, US), BASIS.digest());

        assertThat(ShardingPlanner.isOutOfDate(Optional.of(planned), BASIS)).isFalse();
        assertThat(ShardingPlanner.isOutOfDate(Optional.empty(), BASIS)).isTrue();
    }

    @Test
    void membersMakeADifference() {
        Member reborn = Samples.member(THEM, "10.0.0.2", 12);

        assertThat(basis(List.of(OURS), Set.of()).digest()).isNotEqualTo(BASIS.digest());
        assertThat(basis(List.of(OURS, reborn), Set.of()).digest()).isNotEqualTo(BASIS.digest());
        assertThat(basis(List.of(OURS, THEIRS), Set.of("10.0.0.2")).digest()).isNotEqualTo(BASIS.digest());
        assertThat(basis(List.of(), Set.of()).digest()).isNotEqualTo(BASIS.digest());
    }

    @Test
    void neitherTheirOrderNorADisabledServerWithoutInstancesDoes() {
        assertThat(basis(List.of(THEIRS, OURS), Set.of()).digest()).isEqualTo(BASIS.digest());
        assertThat(basis(List.of(OURS, THEIRS), Set.of("10.0.0.3")).digest()).isEqualTo(BASIS.digest());
    }

    @ParameterizedTest
    @MethodSource("ingredients")
    void theseSettingsMakeADifference(UnaryOperator<JobDefinition.Builder> change) {
        PlanBasis changed =
                new PlanBasis(BASIS.members(), change.apply(definition()).build());

        assertThat(changed.digest()).isNotEqualTo(BASIS.digest());
    }

    private static Stream<UnaryOperator<JobDefinition.Builder>> ingredients() {
        return Stream.of(
                job -> job.shardingTotalCount(4),
                job -> job.jobShardingStrategyClass("STICKY"),
                job -> job.cron("1 * * * * ?"),
                job -> job.timeZone(ZoneId.of("Asia/Tokyo")),
                job -> job.monitorExecution(false));
    }

    @Test
    void soDoTheJobsThatRunAfterThisOne() {
        PlanBasis followed = new PlanBasis(BASIS.members(), BASIS.definition(), new TreeSet<>(Set.of("report")));

        assertThat(followed.digest()).isNotEqualTo(BASIS.digest());
    }

    @Test
    void noOtherSettingDoes() {
        JobDefinition other = definition()
                .failover(true)
                .misfire(false)
                .jobParameter("p")
                .shardingItemParameters("0=a")
                .jobClass("c")
                .description("d")
                .jobProperties(Map.of("k", "v"))
                .maxTimeDiffSeconds(3)
                .reconcileIntervalMinutes(1)
                .disabled(true)
                .overwrite(true)
                .misfireThreshold(Duration.ofSeconds(3))
                .maxFailovers(7)
                .build();

        assertThat(new PlanBasis(BASIS.members(), other).digest()).isEqualTo(BASIS.digest());
    }

    @Test
    void disabledServersOwnNothingAndTheRestAreInDescendingOrder() {
        Members members =
                members(List.of(OURS, THEIRS, Samples.member("x", "10.0.0.3", 3)), Set.of("10.0.0.2"), Set.of());

        assertThat(members.eligible()).containsExactly("x", US);
    }

    @Test
    void whoGivesItsItemsAwayOwnsNothingUnlikeALaterInstanceOfThatId() {
        Members draining = members(List.of(OURS, THEIRS), Set.of(), Set.of(THEIRS.czxid()));
        Members reborn = members(List.of(OURS, Samples.member(THEM, "10.0.0.2", 12)), Set.of(), Set.of(THEIRS.czxid()));

        assertThat(draining.eligible()).containsExactly(US);
        assertThat(reborn.eligible()).containsExactlyInAnyOrder(US, THEM);
        assertThat(new PlanBasis(draining, BASIS.definition()).digest()).isNotEqualTo(BASIS.digest());
    }

    private static PlanBasis basis(List<Member> members, Set<String> disabledServers) {
        return new PlanBasis(
                members(members, disabledServers, Set.of()), definition().build());
    }

    private static Members members(List<Member> members, Set<String> disabledServers, Set<Long> draining) {
        Map<String, Members.Server> servers = new HashMap<>();
        members.forEach(member -> servers.put(member.serverIp(), new Members.Server(false, NOON)));
        disabledServers.forEach(ip -> servers.put(ip, new Members.Server(true, NOON)));
        return new Members(members, servers, draining, Instant.EPOCH);
    }
}
