package dev.elasticjob.simulation;

import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** What makes a process differ from others: where it is, and how much it can carry. */
record Traits(String zone, OptionalInt capacity) {
    /** Of the one that comes as the so-manieth: in two zones, one after the other. Every third one has no capacity. */
    static Traits of(int number) {
        return new Traits(
                number % 2 == 1 ? "a" : "b",
                number % 3 == 0
                        ? OptionalInt.empty()
                        : OptionalInt.of(number % 3 == 1 ? World.CAPACITY : World.CAPACITY + 2));
    }

    Map<String, String> labels() {
        return new TreeMap<>(Map.of("zone", zone));
    }
}
