package dev.elasticjob.simulation;

import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;

/** What makes a process differ from others: where it is, what it runs, and how much it can carry. */
record Traits(String zone, String version, OptionalInt capacity) {
    private static final int MOST_ZONES = 3;
    /** By how much a process may carry more than the smallest one. */
    private static final int MOST_EXTRA = 6;

    /**
     * Zones are taken in turn, so that each is among a few that come one after the other; the rest is drawn. One in three has
     * no capacity, unless the strategy promises nothing then.
     *
     * @param number of the process, in the order in which they come
     */
    static Traits of(Scenario scenario, int number) {
        Random own = new Random(scenario.seed() * 1_009 + number * 31L + 5);
        int zone = Math.floorMod(number + scenario.seed(), zones(scenario));
        String version = own.nextInt(3) == 0 ? "2" : "1";
        return new Traits(
                String.valueOf((char) ('a' + zone)),
                version,
                own.nextInt(3) == 0 && !scenario.dividesByWeight()
                        ? OptionalInt.empty()
                        : OptionalInt.of(World.CAPACITY + own.nextInt(MOST_EXTRA + 1)));
    }

    /** In how many zones the processes of a life are. */
    static int zones(Scenario scenario) {
        return 1 + new Random(scenario.seed() * 43 + 11).nextInt(MOST_ZONES);
    }

    Map<String, String> labels() {
        return new TreeMap<>(Map.of("zone", zone, "version", version));
    }
}
