package dev.elasticjob.testing;

import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What a test has opened: closed behind it, the last first, all of it though one fails. For one thread. */
public final class Opened implements AfterEachCallback, AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    public <T extends AutoCloseable> T add(T next) {
        opened.push(next);
        return next;
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        close();
    }

    @Override
    public void close() throws Exception {
        Exception first = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
