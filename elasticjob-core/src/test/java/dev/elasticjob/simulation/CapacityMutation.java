package dev.elasticjob.simulation;

import dev.elasticjob.coordination.item.FlawedCapacity;
import dev.elasticjob.coordination.item.FlawedCapacity.Missing;
import dev.elasticjob.coordination.item.InstanceCapacity;
import dev.elasticjob.registry.Registry;
import java.util.OptionalInt;

/** One rule of how an instance counts its room, taken out. */
enum CapacityMutation implements Flaw {
    ROOM_GIVEN_BACK_BEFORE_THE_LOCK_IS_GONE(Missing.ROOM_IS_KEPT_UNTIL_THE_END),
    ROOM_NEVER_GIVEN_BACK(Missing.ROOM_IS_GIVEN_BACK),
    ROOM_THAT_CALLS_NOBODY(Missing.WHAT_FITS_IS_CALLED),
    LIGHT_ITEMS_THAT_PASS(Missing.WHAT_WAITS_COMES_FIRST),
    CLAIM_WITH_A_FORMER_WEIGHT(Missing.EACH_ASK_HAS_ITS_WEIGHT),
    CLAIM_WITHOUT_ASKING_FOR_ROOM(Missing.ITEMS_ASK),
    HELP_WITHOUT_ASKING_FOR_ROOM(Missing.HELPERS_ASK);

    private final Missing rule;

    CapacityMutation(Missing rule) {
        this.rule = rule;
    }

    @Override
    public Registry apply(Registry registry) {
        return registry;
    }

    @Override
    public InstanceCapacity capacity(OptionalInt limit) {
        return new FlawedCapacity(limit, rule);
    }
}
