package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.leader.Places.Place;
import dev.elasticjob.job.ShardingStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;

/**
 * Divides the items by how long they take, times their weights, in proportion to the capacities of the instances. An instance
 * without a limit counts as the largest of the others; if none has a limit, all are equal. An item of unknown duration counts
 * with the mean of the known ones. Too heavy items are given away as by {@link WeightedAllocation}.
 *
 * <p>Items stay where they are. What has no owner goes, the longest first, to the instance that has the least with it. An
 * instance that has owned nothing gets items from those that have more than the mean, until it has as much. Besides, no more
 * items move than the request allows: away from instances that have more than the mean by over a tenth, to the one that has the
 * least, each time the item whose move takes the most away from the larger of the two shares. So durations that vary a little
 * move nothing, and an item that takes longer than all others together keeps none of these from being balanced. Takes time in
 * proportion to items times instances, for each item that moves.
 */
final class MeasuredAllocation implements ShardingStrategy {
    /** Above which an instance has too much, in proportion to the mean. */
    private static final double TOLERATED = 1.1;

    @Override
    public boolean needsDurations() {
        return true;
    }

    @Override
    public Map<String, List<Integer>> shard(Request request) {
        Places places = new Places(request, sizes(request));
        Balance balance = new Balance(places, places.ideal());
        List<Integer> homeless = new ArrayList<>();
        for (int item : places.heaviestFirst()) {
            Optional.ofNullable(places.ownerOf(item))
                    .ifPresentOrElse(owner -> owner.add(item), () -> homeless.add(item));
        }
        List<Place> newcomers =
                places.all().stream().filter(place -> place.items().isEmpty()).toList();
        homeless.forEach(item -> places.leastWith(item).add(item));
        newcomers.forEach(balance::fill);
        balance.even(request.measured().moves());
        return places.shares();
    }

    private static IntToDoubleFunction sizes(Request request) {
        double mean = request.measured().durations().values().stream()
                .mapToLong(Duration::toNanos)
                .average()
                .orElse(1);
        return item -> request.weight(item)
                * request.duration(item).map(taken -> (double) taken.toNanos()).orElse(mean);
    }

    /** An item that would change its owner. */
    private record Move(int item, Place from, Place to) {
        /** What the larger of the two shares would lose. */
        double gain() {
            return from.share() - Math.max(from.shareWithout(item), to.shareWith(item));
        }

        void carryOut() {
            from.remove(item);
            to.add(item);
        }
    }

    private record Balance(Places places, double mean) {
        /** From those that have more than the mean. */
        void fill(Place newcomer) {
            while (newcomer.share() < mean && moves(mean, item -> newcomer)) {
                // Goes on.
            }
        }

        void even(int limit) {
            int left = limit;
            while (left > 0 && moves(TOLERATED * mean, leastByWeight())) {
                left--;
            }
        }

        /** Who carries an item depends on its weight alone. */
        private IntFunction<Place> leastByWeight() {
            Map<Integer, Place> least = new HashMap<>();
            return item -> least.computeIfAbsent(places.weight(item), weight -> places.least(item));
        }

        /**
         * Whether an item has moved: the one whose move takes the most away from the larger of the two shares.
         *
         * @param tolerated an instance with no more gives nothing away
         */
        private boolean moves(double tolerated, IntFunction<Place> receivers) {
            Optional<Move> best = places.all().stream()
                    .filter(giver -> giver.share() > tolerated)
                    .flatMap(giver -> giver.items().stream()
                            .map(item -> new Move(item, giver, receivers.apply(item)))
                            .filter(move -> places.mayHave(move.to(), move.item()) && move.gain() > 0))
                    .max(Comparator.comparingDouble(Move::gain).thenComparing(Move::item));
            best.ifPresent(Move::carryOut);
            return best.isPresent();
        }
    }
}
