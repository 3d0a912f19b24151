package dev.elasticjob.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** The classes that ZooKeeper's client loads by their names: its sockets, with and without TLS. */
final class ZooKeeperClientHints implements RuntimeHintsRegistrar {
    private static final String[] SOCKETS = {
        "org.apache.zookeeper.ClientCnxnSocketNIO", "org.apache.zookeeper.ClientCnxnSocketNetty"
    };

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        for (String socket : SOCKETS) {
            hints.reflection().registerTypeIfPresent(loader, socket, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
        }
    }
}
