package dev.elasticjob.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.time.manual.ManualTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only tests need is published in a jar of its own. In an IDE there are no jars, and nothing to check. */
class TestFixturesIT {
    @ParameterizedTest
    @ValueSource(classes = {InMemoryRegistry.class, ManualTime.class})
    void fixturesAreNotInTheJarOfTheCore(Class<?> fixture) {
        assumeThat(placeOf(Registry.class)).endsWith(".jar");

        assertThat(placeOf(fixture)).endsWith("-test-fixtures.jar");
    }

    private static String placeOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().getPath();
    }
}
