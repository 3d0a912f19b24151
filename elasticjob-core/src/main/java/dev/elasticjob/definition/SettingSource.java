package dev.elasticjob.definition;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where settings are read from: stored JSON, or what an application declares. Each kind of value is read in one way,
 * whichever setting it is of. Empty if the source has no value of this name, or an unusable one, which it reports itself.
 */
public interface SettingSource {
    Optional<String> text(String name);

    Optional<Integer> number(String name);

    Optional<Double> decimal(String name);

    Optional<Boolean> flag(String name);

    Optional<Duration> duration(String name);

    /** A text that is blank sets no time, which is other than not to set it. */
    Optional<Optional<Instant>> time(String name);

    Optional<ZoneId> zone(String name);

    Optional<Map<String, String>> texts(String name);

    Optional<List<String>> names(String name);

    Optional<JobType> type(String name);

    /** One of a few words. */
    <E extends Enum<E>> Optional<E> choice(String name, Class<E> words);

    /** Whether it has any part of a group. The name of a part is the group's, a dot, and its own. */
    boolean hasGroup(String name);

    /** A definition that has the parts of a group that this source doesn't have; empty if these have their defaults. */
    default Optional<JobDefinition> base() {
        return Optional.empty();
    }
}
