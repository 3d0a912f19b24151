package dev.elasticjob.coordination.leader;

import dev.elasticjob.coordination.leader.Places.Place;
import dev.elasticjob.job.ShardingStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Divides the items by how long they take, times their weights, in proportion to the capacities of the instances. An instance
 * without a limit counts as the largest of the others; if none has a limit, all are equal. An item of unknown duration counts
 * with the mean of the known ones. Too heavy items are given away as by {@link WeightedAllocation}.
 *
 * <p>Items stay where they are. What has no owner goes, the longest first, to the instance that has the least with it. If the
 * request lets no item move for the sake of balance, an instance that has owned nothing gets items from those that have more
 * than the mean, until it has as much. If it lets some move, so many do at most: away from instances that have more than the
 * mean by over a tenth, each time the item whose move takes the most away from the larger of the two shares. So durations that
 * vary a little move nothing.
 *
 * <p>An item that takes longer than the mean can't be divided: it counts for the mean neither, nor does an instance for it. So
 * it keeps none of the others from being balanced. Takes time in proportion to items times instances, and for each item that
 * moves, to the number of items.
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
        Balance balance = new Balance(places, places.idealWithoutGiants());
        List<Integer> homeless = new ArrayList<>();
        for (int item : places.heaviestFirst()) {
            Optional.ofNullable(places.ownerOf(item))
                    .ifPresentOrElse(owner -> owner.add(item), () -> homeless.add(item));
        }
        List<Place> newcomers =
                places.all().stream().filter(place -> place.items().isEmpty()).toList();
        homeless.forEach(item -> places.leastWith(item).add(item));
        int moves = request.measured().moves();
        if (moves > 0) {
            balance.even(moves);
        } else {
            newcomers.forEach(balance::fill);
        }
        return places.shares();
    }

    private static IntToDoubleFunction sizes(Request request) {
        int total = request.shardingTotalCount();
        double mean = IntStream.range(0, total)
                .mapToObj(request::duration)
                .flatMap(Optional::stream)
                .mapToLong(Duration::toMillis)
                .average()
                .orElse(1);
        return item -> request.weight(item)
                * request.duration(item).map(taken -> (double) taken.toMillis()).orElse(mean);
    }

    /**
     * An item that would change its owner.
     *
     * @param gain what the larger of the two shares would lose
     */
    private record Move(int item, Place from, Place to, double gain) {
        static Move of(int item, Place from, Place to) {
            return new Move(item, from, to, from.share() - Math.max(from.shareWithout(item), to.shareWith(item)));
        }

        void carryOut() {
            from.remove(item);
            to.add(item);
        }
    }

    private record Balance(Places places, double mean) {
        private static final Comparator<Move> BEST =
                Comparator.comparingDouble(Move::gain).thenComparing(Move::item);

        /** From the one that has the most, if it can give something away. */
        void fill(Place newcomer) {
            boolean goesOn = true;
            while (goesOn && newcomer.share() < mean) {
                Optional<Move> next = givers(mean)
                        .sorted(Comparator.comparingDouble(Place::share).reversed())
                        .flatMap(giver -> moves(giver, List.of(newcomer)).max(BEST).stream())
                        .findFirst();
                next.ifPresent(Move::carryOut);
                goesOn = next.isPresent();
            }
        }

        void even(int limit) {
            boolean goesOn = true;
            for (int left = limit; goesOn && left > 0; left--) {
                Collection<Place> receivers = places.leastOfEachCapacity();
                Optional<Move> next = givers(TOLERATED * mean)
                        .flatMap(giver -> moves(giver, receivers))
                        .max(BEST);
                next.ifPresent(Move::carryOut);
                goesOn = next.isPresent();
            }
        }

        private Stream<Place> givers(double tolerated) {
            return places.all().stream().filter(place -> place.share() > tolerated);
        }

        private Stream<Move> moves(Place giver, Collection<Place> receivers) {
            return giver.items().stream()
                    .flatMap(item -> receivers.stream()
                            .filter(receiver -> places.mayHave(receiver, item))
                            .map(receiver -> Move.of(item, giver, receiver)))
                    .filter(move -> move.gain() > 0);
        }
    }
}
