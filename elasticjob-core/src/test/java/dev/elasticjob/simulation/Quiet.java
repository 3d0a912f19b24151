package dev.elasticjob.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Our own log is silent while worlds go under: what counts stands in their traces. For the tests of a class. */
final class Quiet implements BeforeAllCallback, AfterAllCallback {
    private static final Logger OURS = (Logger) LoggerFactory.getLogger("dev.elasticjob");

    static void keep() {
        OURS.setLevel(Level.OFF);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        keep();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        OURS.setLevel(Level.WARN);
    }
}
