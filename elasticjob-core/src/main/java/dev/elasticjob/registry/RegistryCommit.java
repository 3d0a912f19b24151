package dev.elasticjob.registry;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A transaction: checks and writes that happen all together or not at all. Immutable.
 *
 * <p>A version of -1 stands for any version: the node only has to be there. What was read is guarded by the version
 * that was read; this is for nodes of one's own.
 */
public record RegistryCommit(List<Operation> operations) {
    /** Stands for whatever version there is, in a set or a delete of a node that nothing depends on. */
    public static final int ANY_VERSION = -1;

    private static final byte[] EMPTY = {};

    public RegistryCommit {
        operations = List.copyOf(operations);
    }

    public static Builder builder() {
        return new Builder();
    }

    public boolean isEmpty() {
        return operations.isEmpty();
    }

    /** Roughly what it takes on the wire. */
    public int bytes() {
        int bytes = 0;
        for (Operation operation : operations) {
            bytes += operation.bytes();
        }
        return bytes;
    }

    /** One step of a transaction. */
    public sealed interface Operation {
        String path();

        /** Roughly what it takes on the wire, with its header. */
        default int bytes() {
            return 48 + path().length();
        }

        private static String text(byte[] data) {
            return new String(data, StandardCharsets.UTF_8);
        }

        /** Refuses the transaction unless the node is there at this version. */
        record Check(String path, int version) implements Operation {}

        /** Refuses the transaction where the node is there already, or its parent isn't. */
        record Create(String path, byte[] data, boolean ephemeral) implements Operation {
            @Override
            public int bytes() {
                return 80 + path.length() + data.length;
            }

            @Override
            public String toString() {
                return "Create[path=%s, data=%s, ephemeral=%s]".formatted(path, text(data), ephemeral);
            }
        }

        /** Refuses the transaction unless the node is there at this version. */
        record Set(String path, byte[] data, int version) implements Operation {
            @Override
            public int bytes() {
                return 48 + path.length() + data.length;
            }

            @Override
            public String toString() {
                return "Set[path=%s, data=%s, version=%d]".formatted(path, text(data), version);
            }
        }

        /** Refuses the transaction unless the node is there at this version, without children. */
        record Delete(String path, int version) implements Operation {}
    }

    /** Collects the steps of a transaction, in order. Not safe for use by several threads. */
    public static final class Builder {
        private final List<Operation> operations = new ArrayList<>();

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

        public Builder delete(String path, int version) {
            return add(new Operation.Delete(path, version));
        }

        /** Refuses the transaction where the node is there: there is no other way to say so in a transaction. */
        public Builder assertAbsent(String path) {
            return create(path).delete(path, 0);
        }

        public Builder add(Operation operation) {
            operations.add(operation);
            return this;
        }

        public Builder addAll(RegistryCommit other) {
            operations.addAll(other.operations());
            return this;
        }

        public RegistryCommit build() {
            return new RegistryCommit(operations);
        }
    }
}
