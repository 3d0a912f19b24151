package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.RegistryCommit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Parts that are sent in one transaction.
 *
 * @param commit the transaction
 * @param parts its parts, in order
 */
public record Batch<T>(RegistryCommit commit, List<T> parts) {
    public Batch {
        parts = List.copyOf(parts);
    }

    /** The first step of batches that depend on the version of a node. */
    public static RegistryCommit guard(String path, int version) {
        return RegistryCommit.builder().check(path, version).build();
    }

    /**
     * Splits parts into batches by bytes. The writes of one part stay together, and every batch begins with the guard.
     */
    public static <T> List<Batch<T>> cut(RegistryCommit guard, List<T> parts, Function<T, RegistryCommit> writing) {
        return cut(RegistryCommit.BYTES_OF_PART, guard, parts, writing);
    }

    /** The same with another limit. */
    public static <T> List<Batch<T>> cut(
            int bytes, RegistryCommit guard, List<T> parts, Function<T, RegistryCommit> writing) {
        List<Batch<T>> batches = new ArrayList<>();
        RegistryCommit.Builder commit = RegistryCommit.builder().addAll(guard);
        List<T> together = new ArrayList<>();
        for (T part : parts) {
            RegistryCommit written = writing.apply(part);
            if (!together.isEmpty() && commit.bytes() + written.bytes() > bytes) {
                batches.add(new Batch<>(commit.build(), together));
                commit = RegistryCommit.builder().addAll(guard);
                together = new ArrayList<>();
            }
            commit.addAll(written);
            together.add(part);
        }
        if (!together.isEmpty()) {
            batches.add(new Batch<>(commit.build(), together));
        }
        return batches;
    }

    /** Splits parts, in order, into groups of limited size. A part that exceeds the limit is a group of its own. */
    public static <T> List<List<T>> groups(int limit, List<T> parts, ToIntFunction<T> size) {
        List<List<T>> groups = new ArrayList<>();
        int total = 0;
        for (T part : parts) {
            int bytes = size.applyAsInt(part);
            total += bytes;
            if (groups.isEmpty() || total > limit) {
                groups.add(new ArrayList<>());
                total = bytes;
            }
            groups.get(groups.size() - 1).add(part);
        }
        return groups;
    }

    /** Splits parts, in order, into groups of at most so many. */
    public static <T> List<List<T>> groups(int most, List<T> parts) {
        return groups(most, parts, part -> 1);
    }

    /** Splits transactions like {@link #cut}, without keeping track of the parts. */
    public static List<RegistryCommit> chunks(RegistryCommit guard, List<RegistryCommit> parts) {
        return cut(guard, parts, part -> part).stream().map(Batch::commit).toList();
    }
}
