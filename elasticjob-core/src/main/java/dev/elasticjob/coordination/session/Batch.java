package dev.elasticjob.coordination.session;

import dev.elasticjob.registry.RegistryCommit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Parts that go out in one transaction.
 *
 * @param commit the transaction
 * @param parts what it does, one by one
 */
public record Batch<T>(RegistryCommit commit, List<T> parts) {
    /** ZooKeeper drops a connection above 1 MB; half of it leaves room for what we don't count. */
    public static final int MAX_BYTES = 512 * 1024;

    public Batch {
        parts = List.copyOf(parts);
    }

    /** The beginning of batches that are good only while a node stands at the version. */
    public static RegistryCommit guard(String path, int version) {
        return RegistryCommit.builder().check(path, version).build();
    }

    /** Cuts parts into batches by bytes. What one part writes stays together; every batch begins with the guard. */
    public static <T> List<Batch<T>> cut(RegistryCommit guard, List<T> parts, Function<T, RegistryCommit> writing) {
        List<Batch<T>> batches = new ArrayList<>();
        List<T> gathered = new ArrayList<>();
        RegistryCommit.Builder commit = RegistryCommit.builder().addAll(guard);
        int bytes = guard.bytes();
        for (T part : parts) {
            RegistryCommit written = writing.apply(part);
            if (!gathered.isEmpty() && bytes + written.bytes() > MAX_BYTES) {
                batches.add(new Batch<>(commit.build(), gathered));
                gathered = new ArrayList<>();
                commit = RegistryCommit.builder().addAll(guard);
                bytes = guard.bytes();
            }
            gathered.add(part);
            commit.addAll(written);
            bytes += written.bytes();
        }
        if (!gathered.isEmpty()) {
            batches.add(new Batch<>(commit.build(), gathered));
        }
        return batches;
    }

    /** The same where nobody asks for the parts. */
    public static List<RegistryCommit> chunks(RegistryCommit guard, List<RegistryCommit> parts) {
        return cut(guard, parts, part -> part).stream().map(Batch::commit).toList();
    }
}
