package dev.elasticjob.definition;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/**
 * Where settings are read from: stored JSON, or what an application declares. Each kind of value is read in one way,
 * whichever setting it is of. Empty if the source has no value of this name, or an unusable one, which it reports itself.
 */
public interface SettingSource {
    Optional<String> text(String name);

    Optional<Integer> number(String name);

    Optional<Boolean> flag(String name);

    Optional<Duration> duration(String name);

    Optional<ZoneId> zone(String name);

    Optional<Map<String, String>> texts(String name);

    Optional<JobType> type(String name);

    Optional<RetrySettings> retry(String name);

    Optional<HttpRequestSettings> http(String name);

    Optional<AfterSettings> after(String name);
}
