package dev.elasticjob.coordination.item;

/**
 * A part of an instance's {@linkplain InstanceCapacity capacity}, of a fixed weight. It has one owner, who gives it back or
 * moves it on.
 */
public interface Room extends AutoCloseable {
    /** Where there is no limit. */
    Room NONE = new Room() {
        @Override
        public Room move() {
            return this;
        }

        @Override
        public void close() {}
    };

    /** Hands it on, to what was claimed with it. Closing this one has no effect any more. */
    Room move();

    /** Gives it back. Has no effect if that was done before. */
    @Override
    void close();
}
