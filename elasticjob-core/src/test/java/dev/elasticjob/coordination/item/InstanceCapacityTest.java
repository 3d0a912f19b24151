package dev.elasticjob.coordination.item;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.coordination.view.LackingRoom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Room of a limit of 4, and those that wait for it. */
class InstanceCapacityTest {
    private final InstanceCapacity capacity = new InstanceCapacity(OptionalInt.of(4));
    private final List<String> called = new ArrayList<>();

    @Test
    void roomIsGivenBackOnce() {
        Room room = ticket("a").ask(3).orElseThrow();
        room.close();
        room.close();

        assertThat(capacity.used()).isZero();
    }

    @Test
    void roomThatWasMovedIsGivenBackByItsNewOwnerOnly() {
        Room first = ticket("a").ask(3).orElseThrow();
        Room moved = first.move();
        first.close();
        long before = capacity.used();
        moved.close();

        assertThat(before).isEqualTo(3);
        assertThat(capacity.used()).isZero();
    }

    @Test
    void whatWaitsHasNothingReservedAndIsCalledOnceItFits() {
        Room room = hold("a", 3);
        InstanceCapacity.Ticket waiting = ticket("b");
        boolean refused = waiting.ask(2).isEmpty();
        long used = capacity.used();
        room.close();

        assertThat(refused).isTrue();
        assertThat(used).isEqualTo(3);
        assertThat(called).containsExactly("b");
        assertThat(capacity.used()).isZero();
        assertThat(waiting.ask(2)).isPresent();
    }

    @Test
    void aNewcomerIsLetInOnlyBesidesAllThatWait() {
        hold("a", 1);
        ticket("heavy").ask(4);

        assertThat(ticket("light").ask(1)).isEmpty();
    }

    @Test
    void aSecondAskCountsWithItsNewWeight() {
        Room room = hold("a", 3);
        InstanceCapacity.Ticket rising = ticket("b");
        rising.ask(2);
        room.close();
        hold("c", 1);

        assertThat(rising.ask(4)).as("of 4, 1 is taken").isEmpty();
        assertThat(capacity.used()).isEqualTo(1);
    }

    @Test
    void whatWasRefusedKeepsItsPlace() {
        InstanceCapacity.Ticket heavy = ticket("heavy");
        Room room = heavy.ask(4).orElseThrow();
        InstanceCapacity.Ticket light = ticket("light");
        light.ask(1);
        room.close();

        assertThat(light.ask(1)).as("behind what is planned again").isEmpty();
        assertThat(heavy.ask(4)).isPresent();
    }

    @Test
    void whatHasLeftDoesNotComeBackWithItsRoom() {
        InstanceCapacity.Ticket suspended = ticket("a");
        Room undecided = suspended.ask(4).orElseThrow();
        suspended.leave();
        undecided.close();

        assertThat(suspended.waits()).isFalse();
        assertThat(ticket("b").ask(4)).isPresent();
    }

    @Test
    void theFirstIsCalledWhenAnyAskWouldFitWithoutIt() {
        hold("a", 2);
        ticket("heavy").ask(4);
        InstanceCapacity.Ticket late = ticket("late");
        late.ask(1);
        List<String> atFirstAsk = List.copyOf(called);
        called.clear();
        late.ask(1);

        assertThat(atFirstAsk).containsExactly("heavy");
        assertThat(called).as("it was called and has not answered").isEmpty();
    }

    @Test
    void theFirstIsCalledAgainWhenALaterAskHasToWait() {
        hold("a", 2);
        InstanceCapacity.Ticket heavy = ticket("heavy");
        heavy.ask(4);
        ticket("light").ask(1);
        heavy.ask(4);
        called.clear();

        assertThat(ticket("late").ask(1)).isEmpty();
        assertThat(called).as("it may need no room any more").containsExactly("heavy");
    }

    @Test
    void anItemHasRoomForOneClaimAtATime() {
        InstanceCapacity.Ticket ticket = ticket("a");
        Room undecided = ticket.ask(1).orElseThrow();

        assertThatThrownBy(() -> ticket.ask(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Item 0 of job \"a\" asks for room again before its claim is decided");
        undecided.move().close();
        assertThat(ticket.waits()).isFalse();
        assertThat(capacity.used()).isZero();
    }

    @Test
    void whatHasLeftAsksAsANewcomerWhateverBecomesOfItsFormerClaim() {
        InstanceCapacity.Ticket ticket = ticket("a");
        Room former = ticket.ask(1).orElseThrow();
        ticket.leave();
        Room room = ticket.ask(2).orElseThrow();
        former.close();
        boolean waits = ticket.waits();
        long used = capacity.used();
        room.move().close();
        ticket.leave();

        assertThat(waits).isFalse();
        assertThat(used).isEqualTo(2);
        assertThat(capacity.used()).isZero();
        assertThat(ticket("b").ask(4)).as("nothing is ahead").isPresent();
    }

    @Test
    void theNextStaleOneIsCalledWhenTheFirstLeaves() {
        hold("a", 2);
        InstanceCapacity.Ticket first = ticket("first");
        first.ask(4);
        InstanceCapacity.Ticket second = ticket("second");
        second.ask(4);
        InstanceCapacity.Ticket light = ticket("light");
        light.ask(1);
        first.leave();
        second.leave();

        assertThat(called).containsExactly("first", "second", "light");
        assertThat(light.ask(1)).isPresent();
    }

    @Test
    void theFirstIsCalledWheneverItBeginsToHoldBackAnother() {
        hold("a", 1);
        Room room = hold("b", 3);
        InstanceCapacity.Ticket heavy = ticket("heavy");
        heavy.ask(4);
        InstanceCapacity.Ticket light = ticket("light");
        light.ask(1);
        boolean whileFull = heavy.holdsBack();
        room.close();
        List<String> atFirst = List.copyOf(called);
        heavy.ask(4);
        light.leave();
        boolean alone = heavy.holdsBack();
        called.clear();
        light.ask(1);

        assertThat(whileFull).isFalse();
        assertThat(atFirst).containsExactly("heavy");
        assertThat(alone).isFalse();
        assertThat(called).containsExactly("heavy");
        assertThat(heavy.holdsBack()).isTrue();
        assertThat(light.holdsBack()).isFalse();
    }

    @Test
    void anAnswerOfTheFirstCallsNobody() {
        hold("a", 2);
        InstanceCapacity.Ticket heavy = ticket("heavy");
        heavy.ask(4);
        ticket("light").ask(1);
        called.clear();

        assertThat(heavy.ask(4)).isEmpty();
        assertThat(called).isEmpty();
    }

    @Test
    void withoutALimitThereIsOneRoomForAll() {
        assertThat(InstanceCapacity.unlimited().ticket("a", 0, () -> {}).ask(1_000))
                .hasValueSatisfying(room -> assertThat(room).isSameAs(Room.NONE));
    }

    @Test
    void whatWaitsSaysWhatTakesTheRoomOrBehindWhatItIs() {
        hold("orders", 2);
        ticket("heavy").ask(4);
        ticket("late").ask(1);

        assertThat(capacity.waiting("heavy"))
                .containsEntry(0, new LackingRoom(2, 4, List.of("orders"), Optional.empty(), Optional.empty()));
        assertThat(capacity.waiting("late"))
                .containsEntry(
                        0,
                        new LackingRoom(
                                2,
                                4,
                                List.of("orders"),
                                Optional.of(new LackingRoom.First("heavy", 0, 4)),
                                Optional.empty()));
    }

    private Room hold(String job, int weight) {
        return ticket(job).ask(weight).orElseThrow().move();
    }

    private InstanceCapacity.Ticket ticket(String job) {
        return capacity.ticket(job, 0, () -> called.add(job));
    }
}
