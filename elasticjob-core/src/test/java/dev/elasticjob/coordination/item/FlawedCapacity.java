package dev.elasticjob.coordination.item;

import java.util.Optional;
import java.util.OptionalInt;

/** An instance's capacity, with a rule taken out. */
public final class FlawedCapacity extends InstanceCapacity {
    private final Missing missing;

    /** The rule that is taken out. */
    public enum Missing {
        /** Room is given back as soon as its claim is committed. */
        ROOM_IS_KEPT_UNTIL_THE_END,
        ROOM_IS_GIVEN_BACK,
        WHAT_FITS_IS_CALLED,
        /** Whatever fits is let in, whoever waits before it. */
        WHAT_WAITS_COMES_FIRST,
        /** A place goes with the weight of the item that first asked. */
        EACH_ASK_HAS_ITS_WEIGHT,
        ITEMS_ASK,
        HELPERS_ASK
    }

    public FlawedCapacity(OptionalInt limit, Missing missing) {
        super(limit);
        this.missing = missing;
    }

    @Override
    public Ticket ticket(String job, int item, Runnable look) {
        return new FlawedTicket(job, item, missing == Missing.WHAT_FITS_IS_CALLED ? () -> {} : look);
    }

    @Override
    public synchronized long spare() {
        return missing == Missing.HELPERS_ASK ? Long.MAX_VALUE : super.spare();
    }

    private final class FlawedTicket extends Ticket {
        private int firstWeight;

        FlawedTicket(String job, int item, Runnable look) {
            super(job, item, look);
        }

        @Override
        public Optional<Room> ask(int itsWeight) {
            firstWeight = firstWeight == 0 ? itsWeight : firstWeight;
            return switch (missing) {
                case ITEMS_ASK -> Optional.of(Room.NONE);
                case EACH_ASK_HAS_ITS_WEIGHT -> super.ask(firstWeight);
                case ROOM_IS_KEPT_UNTIL_THE_END, ROOM_IS_GIVEN_BACK ->
                    super.ask(itsWeight).map(FlawedRoom::new);
                default -> super.ask(itsWeight);
            };
        }

        @Override
        long ahead() {
            return missing == Missing.WHAT_WAITS_COMES_FIRST ? 0 : super.ahead();
        }
    }

    private final class FlawedRoom implements Room {
        private final Room room;

        FlawedRoom(Room room) {
            this.room = room;
        }

        @Override
        public Room move() {
            Room moved = room.move();
            if (missing == Missing.ROOM_IS_KEPT_UNTIL_THE_END) {
                moved.close();
            }
            return NONE;
        }

        @Override
        public void close() {
            room.close();
        }
    }
}
