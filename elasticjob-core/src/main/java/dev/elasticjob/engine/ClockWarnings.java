package dev.elasticjob.engine;

import dev.elasticjob.coordination.session.RegistryTime;
import dev.elasticjob.time.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says that this machine's clock and the registry's differ, once for all jobs. Confined to the coordination executor. */
final class ClockWarnings implements RegistryTime.Differences {
    private static final Logger log = LoggerFactory.getLogger(ClockWarnings.class);

    private final RegistryTime time;
    private final BiConsumer<Instant, Instant> differ;

    /** @param differ receives this machine's time and the registry's */
    ClockWarnings(RegistryTime time, BiConsumer<Instant, Instant> differ) {
        this.time = time;
        this.differ = differ;
    }

    @Override
    public void begin() {
        Instant here = time.here();
        Instant registry = time.now();
        log.warn(
                time.registryHasJumped()
                        ? "The registry's clock has jumped to {}, but this machine's clock is at {}: it is {} the"
                                + " registry's. Until they agree, jobs start by the time from before the jump. Check the"
                                + " clocks of the ZooKeeper servers"
                        : "The registry's clock is at {}, but this machine's clock is at {}: it is {} the registry's."
                                + " Jobs start by the registry's time here, but their code reads the wrong one."
                                + " Synchronize this machine's clock (NTP)",
                registry,
                here,
                text(time.ahead()));
        differ.accept(here, registry);
    }

    @Override
    public void end() {
        log.info("This machine's clock and the registry's agree again");
    }

    /** For example, "5 min ahead of". */
    private static String text(Duration ahead) {
        return DurationText.of(Duration.ofSeconds(ahead.abs().toSeconds()))
                + (ahead.isNegative() ? " behind" : " ahead of");
    }
}
