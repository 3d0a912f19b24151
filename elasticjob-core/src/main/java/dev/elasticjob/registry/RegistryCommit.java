package dev.elasticjob.registry;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A transaction: checks and writes that are carried out completely or not at all. Immutable.
 *
 * <p>A version of -1 stands for any version: the node only has to exist. Use it for nodes that only the caller changes.
 * Guard what was read with the version read.
 */
public final class RegistryCommit {
    public static final int ANY_VERSION = -1;

    /**
     * The size limit of a transaction: ZooKeeper's servers close the connection of a client that sends more than
     * 1,048,575 bytes ({@code jute.maxbuffer}), which include a few bytes of framing.
     */
    public static final int MAX_BYTES = 1_048_000;

    /** Where a step can do with several transactions: half of that leaves room for bytes that are not counted. */
    public static final int BYTES_OF_PART = 512 * 1024;

    private static final byte[] EMPTY = {};

    private final List<Operation> operations;
    private final int bytes;

    public RegistryCommit(List<Operation> operations) {
        this(operations, bytes(operations));
    }

    private RegistryCommit(List<Operation> operations, int bytes) {
        this.operations = List.copyOf(operations);
        this.bytes = bytes;
    }

    public static Builder builder() {
        return new Builder();
    }

    public List<Operation> operations() {
        return operations;
    }

    public boolean isEmpty() {
        return operations.isEmpty();
    }

    /** An upper bound of the bytes on the wire, if the root before each path is as short as usual. */
    public int bytes() {
        return bytes;
    }

    private static int bytes(List<Operation> operations) {
        int bytes = 0;
        for (Operation operation : operations) {
            bytes += operation.bytes();
        }
        return bytes;
    }

    /**
     * Called by adapters before anything is sent: the server would close the connection, and all other requests would
     * fail too.
     *
     * @param bytesOfRoot the size of the root that the adapter puts before each path
     * @throws IllegalArgumentException if the transaction is larger than {@link #MAX_BYTES}
     */
    public void mustFit(int bytesOfRoot) {
        long onWire = bytes + (long) operations.size() * Math.max(0, bytesOfRoot - Operation.ROOM_FOR_ROOT);
        if (onWire > MAX_BYTES) {
            Operation largest = operations.stream()
                    .max(Comparator.comparingInt(Operation::bytes))
                    .orElseThrow();
            throw new IllegalArgumentException(
                    ("A transaction may have at most %d bytes, but this one has %d, %d of them for the node \"%s\"."
                                    + " It was not sent, because ZooKeeper would close the connection. Store less in that"
                                    + " node")
                            .formatted(MAX_BYTES, onWire, largest.bytes(), largest.path()));
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RegistryCommit commit && operations.equals(commit.operations);
    }

    @Override
    public int hashCode() {
        return operations.hashCode();
    }

    @Override
    public String toString() {
        return "RegistryCommit[operations=" + operations + "]";
    }

    /** The size of a text in UTF-8. */
    public static int bytes(String text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // Each half of a surrogate pair counts as two of its four bytes.
            bytes += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
        }
        return bytes;
    }

    /** One step of a transaction. */
    public sealed interface Operation {
        /** The reserve for a root in the bytes counted for a step. */
        int ROOM_FOR_ROOT = 43;

        String path();

        default byte[] data() {
            return EMPTY;
        }

        /** The bytes on the wire: at most 21 besides its path and data, and a reserve for a root. */
        default int bytes() {
            return 21 + ROOM_FOR_ROOT + RegistryCommit.bytes(path()) + data().length;
        }

        private static String text(byte[] data) {
            return new String(data, StandardCharsets.UTF_8);
        }

        /** Refuses the transaction unless the node exists at this version. */
        record Check(String path, int version) implements Operation {}

        /** Refuses the transaction if the node already exists, or its parent doesn't. */
        record Create(String path, byte[] data, boolean ephemeral) implements Operation {
            @Override
            public int bytes() {
                return 27 + Operation.super.bytes();
            }

            @Override
            public String toString() {
                return "Create[path=%s, data=%s, ephemeral=%s]".formatted(path, text(data), ephemeral);
            }
        }

        /** Refuses the transaction unless the node exists at this version. */
        record Set(String path, byte[] data, int version) implements Operation {
            @Override
            public String toString() {
                return "Set[path=%s, data=%s, version=%d]".formatted(path, text(data), version);
            }
        }

        /** Refuses the transaction unless the node exists at this version and has no children. */
        record Delete(String path, int version) implements Operation {}
    }

    /** Collects the steps of a transaction, in order. Not thread-safe. */
    public static final class Builder {
        private final List<Operation> operations = new ArrayList<>();
        private int bytes;

        public Builder check(String path, int version) {
            return add(new Operation.Check(path, version));
        }

        public Builder create(String path, byte[] data) {
            return add(new Operation.Create(path, data, false));
        }

        public Builder create(String path, String text) {
            return create(path, text.getBytes(StandardCharsets.UTF_8));
        }

        public Builder create(String path) {
            return create(path, EMPTY);
        }

        public Builder createEphemeral(String path, String text) {
            return add(new Operation.Create(path, text.getBytes(StandardCharsets.UTF_8), true));
        }

        public Builder set(String path, byte[] data, int version) {
            return add(new Operation.Set(path, data, version));
        }

        public Builder set(String path, String text, int version) {
            return set(path, text.getBytes(StandardCharsets.UTF_8), version);
        }

        /** @param read the version read; empty if the node was absent, so that it is created */
        public Builder setOrCreate(String path, byte[] data, Optional<Integer> read) {
            return read.map(version -> set(path, data, version)).orElseGet(() -> create(path, data));
        }

        public Builder setOrCreate(String path, String text, Optional<Integer> read) {
            return setOrCreate(path, text.getBytes(StandardCharsets.UTF_8), read);
        }

        public Builder delete(String path, int version) {
            return add(new Operation.Delete(path, version));
        }

        /**
         * Refuses the transaction if the node exists, by creating and deleting it: a transaction has no other way to
         * check this.
         */
        public Builder assertAbsent(String path) {
            return create(path).delete(path, 0);
        }

        public Builder add(Operation operation) {
            operations.add(operation);
            bytes += operation.bytes();
            return this;
        }

        public Builder addAll(RegistryCommit other) {
            operations.addAll(other.operations);
            bytes += other.bytes;
            return this;
        }

        /** The size of the transaction so far. */
        public int bytes() {
            return bytes;
        }

        public RegistryCommit build() {
            return new RegistryCommit(operations, bytes);
        }
    }
}
