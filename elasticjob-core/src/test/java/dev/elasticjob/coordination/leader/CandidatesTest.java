package dev.elasticjob.coordination.leader;

import static dev.elasticjob.coordination.Samples.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.state.LeaveMark;
import dev.elasticjob.coordination.state.NodeCodec;
import dev.elasticjob.coordination.state.Software;
import dev.elasticjob.coordination.view.Leaver;
import dev.elasticjob.coordination.view.Members;
import dev.elasticjob.coordination.view.Members.Member;
import dev.elasticjob.coordination.view.Members.Origin;
import dev.elasticjob.coordination.view.Members.Server;
import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.definition.text.LabelSelector;
import dev.elasticjob.registry.RegistryNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class CandidatesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Map<Integer, String> OWNERS = Map.of(0, "a", 1, "b", 2, "a", 3, "b");

    @Test
    void oneThatHasLeftKeepsItsItemsUntilItsTimeIsOver() {
        Members members = members(List.of(member("a", "1", 10)), leaver("b", "2", 20));

        Candidates during = Candidates.of(members, OWNERS, NOON.plusSeconds(59));
        Candidates after = Candidates.of(members, OWNERS, NOON.plusSeconds(60));

        assertThat(during.awaited()).containsOnlyKeys("b");
        assertThat(during.firstEnd()).contains(NOON.plus(MINUTE));
        assertThat(during.forStrategy().keySet()).containsExactly("b", "a");
        assertThat(during.over()).isEmpty();
        assertThat(after.awaited()).isEmpty();
        assertThat(after.over()).extracting(Leaver::id).containsExactly("b");
    }

    @Test
    void oneOfTheSameIdFollowsIt() {
        Candidates candidates = Candidates.of(
                members(List.of(member("a", "1", 10), member("b", "9", 30)), leaver("b", "2", 20)), OWNERS, NOON);

        assertThat(candidates.awaited()).isEmpty();
        assertThat(candidates.inherited(OWNERS)).isEqualTo(OWNERS);
    }

    @Test
    void oneOnTheSameServerThatStartedLaterFollowsIt() {
        Candidates candidates = Candidates.of(
                members(List.of(member("a", "1", 10), member("c", "2", 30)), leaver("b", "2", 20)), OWNERS, NOON);

        assertThat(candidates.awaited()).isEmpty();
        assertThat(candidates.inherited(OWNERS)).isEqualTo(Map.of(0, "a", 1, "c", 2, "a", 3, "c"));
    }

    @Test
    void oneThatWasThereBeforeOrOwnsItemsOrIsElsewhereDoesNot() {
        Leaver left = leaver("b", "2", 20);
        Map<Integer, String> owners = Map.of(0, "a", 1, "b", 2, "a", 3, "later");

        assertThat(List.of(member("before", "2", 15), member("later", "2", 30), member("elsewhere", "3", 30)))
                .allSatisfy(other -> assertThat(Candidates.of(
                                        members(List.of(member("a", "1", 10), other), left), owners, NOON)
                                .awaited())
                        .containsOnlyKeys("b"));
    }

    @Test
    void oneOnTheSameServerWithOtherLabelsOrOfAnotherVersionDoesNot() {
        String labelled =
                NodeCodec.instance("c", "2", InstanceLabels.of(Map.of("version", "1.5")), OptionalInt.empty(), false);
        Member other = new Member("c", "2", 30, Members.Origin.of(node(labelled, 30, 77)));
        Member earlier = new Member("c", "2", 30, Members.Origin.of(node(shown("c", "2") + " # version 0.9", 30, 77)));

        assertThat(List.of(other, earlier))
                .allSatisfy(member -> assertThat(Candidates.of(
                                        members(List.of(member("a", "1", 10), member), leaver("b", "2", 20)),
                                        OWNERS,
                                        NOON)
                                .awaited())
                        .containsOnlyKeys("b"));
    }

    @Test
    void eachIsFollowedByOneOnly() {
        Members members = members(List.of(member("c", "2", 30)), leaver("a", "2", 20), leaver("b", "2", 21));

        Candidates candidates = Candidates.of(members, OWNERS, NOON);

        assertThat(candidates.successors()).containsExactly(Map.entry("a", "c"));
        assertThat(candidates.awaited()).containsOnlyKeys("b");
    }

    @Test
    void oneThatOwnedNothingDoesNotUseUpASuccessor() {
        Members members = members(List.of(member("e", "2", 40)), leaver("idle", "2", 20), leaver("b", "2", 30));

        Candidates candidates = Candidates.of(members, OWNERS, NOON);

        assertThat(candidates.successors()).containsExactly(Map.entry("b", "e"));
        assertThat(candidates.awaited()).isEmpty();
    }

    @Test
    void aNewcomerHasTheLoadOfTheOneThatItFollowsAlsoWhereThatOneOwnedNothing() {
        Members members = members(List.of(member("a", "1", 10), member("c", "2", 40)), leaver("b", "2", 30));

        Candidates candidates = Candidates.of(members, Map.of(0, "a"), NOON);

        assertThat(candidates.carried(Map.of("a", 3L, "b", 4L))).isEqualTo(Map.of("a", 3L, "c", 4L));
    }

    @Test
    void nobodyIsAwaitedWhoOwnsNothingOrMightOwnNothing() {
        Members alone = members(List.of(member("a", "1", 10)), leaver("b", "2", 20));
        Members disabled = new Members(
                alone.all(),
                Map.of("2", new Server(true, NOON)),
                Set.of(),
                NOON,
                new TreeSet<>(),
                Set.of(),
                alone.leavers());

        assertThat(Candidates.of(alone, Map.of(0, "a"), NOON).awaited()).isEmpty();
        assertThat(Candidates.of(alone, Map.of(0, "a"), NOON).over())
                .as("who comes in its place has its load")
                .isEmpty();
        assertThat(Candidates.of(disabled, OWNERS, NOON).over()).hasSize(1);
        assertThat(Candidates.of(alone.chosenBy(LabelSelector.parse("zone=a")), OWNERS, NOON)
                        .over())
                .as("nobody matches any more")
                .hasSize(1);
    }

    @Test
    void oneThatLeftByAClockThatIsAheadIsNotAwaited() {
        Members members = members(List.of(member("a", "1", 10)), leaver("b", "2", 20));

        assertThat(Candidates.of(members, OWNERS, NOON.minus(Duration.ofMinutes(2)))
                        .over())
                .hasSize(1);
    }

    @Test
    void whatAnAwaitedOneWouldGetStaysOrGoesToThePresentOneThatHasTheLeast() {
        Candidates candidates = Candidates.of(
                members(List.of(member("a", "1", 10), member("c", "3", 11)), leaver("b", "2", 20)),
                Map.of(0, "a", 1, "b", 2, "c", 3, "gone"),
                NOON);
        NavigableMap<Integer, String> divided = new TreeMap<>(Map.of(0, "b", 1, "b", 2, "a", 3, "b", 4, "b"));

        NavigableMap<Integer, String> settled =
                candidates.settled(divided, Map.of(0, "a", 1, "b", 2, "c", 3, "gone"), item -> 1);

        assertThat(settled).containsExactlyInAnyOrderEntriesOf(Map.of(0, "a", 1, "b", 2, "a", 3, "c", 4, "c"));
    }

    @Test
    void anAwaitedOneKeepsWhatItOwnsWhateverTheStrategySays() {
        Map<Integer, String> owners = Map.of(0, "a", 1, "b", 2, "b");
        Candidates candidates = Candidates.of(
                members(List.of(member("a", "1", 10), member("c", "3", 11)), leaver("b", "2", 20)), owners, NOON);

        NavigableMap<Integer, String> settled =
                candidates.settled(new TreeMap<>(Map.of(0, "b", 1, "c", 2, "a")), owners, item -> 1);

        assertThat(settled).containsExactlyInAnyOrderEntriesOf(Map.of(0, "a", 1, "b", 2, "b"));
    }

    @Test
    void alsoIfOnlyAwaitedOnesAreLeft() {
        Map<Integer, String> owners = Map.of(0, "a", 1, "b", 2, "b");
        Candidates candidates =
                Candidates.of(members(List.of(), leaver("a", "1", 19), leaver("b", "2", 20)), owners, NOON);

        NavigableMap<Integer, String> settled =
                candidates.settled(new TreeMap<>(Map.of(0, "b", 1, "a", 2, "a", 3, "a")), owners, item -> 1);

        assertThat(settled).containsExactlyInAnyOrderEntriesOf(Map.of(0, "a", 1, "b", 2, "b", 3, "a"));
    }

    @Test
    void butNotWhatHasBecomeTooHeavyForIt() {
        Map<Integer, String> owners = Map.of(0, "a", 1, "b", 2, "b");
        Candidates candidates = Candidates.of(
                members(List.of(member("a", "1", 10)), leaver("b", "2", 20, OptionalInt.of(3))), owners, NOON);

        NavigableMap<Integer, String> settled =
                candidates.settled(new TreeMap<>(Map.of(0, "a", 1, "a", 2, "a")), owners, item -> item == 1 ? 5 : 3);

        assertThat(settled).containsExactlyInAnyOrderEntriesOf(Map.of(0, "a", 1, "a", 2, "b"));
    }

    @Test
    void unlessNobodyElseCanCarryItEither() {
        Map<Integer, String> owners = Map.of(0, "a", 1, "b");
        Candidates candidates = Candidates.of(
                members(List.of(member("a", "1", 10, OptionalInt.of(4))), leaver("b", "2", 20, OptionalInt.of(8))),
                owners,
                NOON);

        NavigableMap<Integer, String> settled =
                candidates.settled(new TreeMap<>(Map.of(0, "a", 1, "a")), owners, item -> 9);

        assertThat(settled).isEqualTo(owners);
    }

    @Test
    void whatAnAwaitedOneWouldGetGoesToAPresentOneThatCanCarryIt() {
        Members members = members(
                List.of(member("a", "1", 10, OptionalInt.of(2)), member("c", "3", 11, OptionalInt.of(8))),
                leaver("b", "2", 20));
        Map<Integer, String> owners = Map.of(0, "a", 1, "b", 2, "c", 3, "gone");
        Candidates candidates = Candidates.of(members, owners, NOON);
        NavigableMap<Integer, String> divided = new TreeMap<>(Map.of(0, "a", 1, "b", 2, "c", 3, "b"));

        assertThat(candidates.settled(divided, owners, item -> item == 0 ? 1 : 5))
                .as("a has less, and a capacity of 2 only")
                .containsEntry(3, "c");
        assertThat(candidates.settled(divided, owners, item -> item == 3 ? 9 : item == 0 ? 1 : 5))
                .as("nobody can carry it: it has an owner all the same")
                .containsEntry(3, "a");
    }

    @Test
    void aMarkThatIsNoneIsReadAsNone() {
        assertThat(List.of(
                        "",
                        "12",
                        "{}",
                        "{\"instance\":1,\"awaitedMillis\":0,\"shown\":\"\"}",
                        "[]",
                        "{\"instance\":1,\"awaitedMillis\":99999999999,\"shown\":\"\"}",
                        "{\"instance\":\"x\",\"awaitedMillis\":5,\"shown\":\"\"}"))
                .allSatisfy(text -> assertThat(LeaveMark.of(node(text, 20))).isEmpty());
    }

    private static Members members(List<Member> present, Leaver... left) {
        return new Members(present, Map.of(), Set.of(), NOON, new TreeSet<>(), Set.of(), List.of(left));
    }

    private static Member member(String id, String ip, long czxid) {
        return member(id, ip, czxid, OptionalInt.empty());
    }

    private static Member member(String id, String ip, long czxid, OptionalInt capacity) {
        String shown = NodeCodec.instance(id, ip, InstanceLabels.NONE, capacity, false);
        return new Member(id, ip, czxid, Members.Origin.of(node(shown, czxid, 77)));
    }

    private static Leaver leaver(String id, String ip, long czxid) {
        return leaver(id, ip, czxid, OptionalInt.empty());
    }

    private static Leaver leaver(String id, String ip, long czxid, OptionalInt capacity) {
        String shown = NodeCodec.instance(id, ip, InstanceLabels.NONE, capacity, false);
        LeaveMark mark = LeaveMark.of(node(shown, czxid - 15), shown, MINUTE);
        Member was = new Member(
                id,
                ip,
                mark.instance(),
                new Origin(
                        0,
                        Software.OURS,
                        Members.Origin.of(node(mark.shown(), 1, 77)).shown()));
        return new Leaver(was, czxid, 0, NOON, Optional.of(NOON.plus(MINUTE)));
    }

    private static String shown(String id, String ip) {
        return NodeCodec.instance(id, ip, InstanceLabels.NONE, OptionalInt.empty(), false);
    }

    private static RegistryNode node(String text, long czxid) {
        return node(text, czxid, 0);
    }

    private static RegistryNode node(String text, long czxid, long session) {
        return new RegistryNode(text.getBytes(StandardCharsets.UTF_8), 0, czxid, czxid, NOON, NOON, session);
    }
}
