package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.text.InstanceLabels;
import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.engine.ShardingGroups;
import dev.elasticjob.engine.process.LocalAddress;
import dev.elasticjob.time.DurationText;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Values below {@code elasticjob} that can be read, but that nothing could work with. Those of the registry's connection
 * are checked where jobs need one: see {@link RegistryConnection}. Used once, by one thread.
 */
final class SettingRanges {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final int LAST_PORT = 65_535;

    private final List<String> problems = new ArrayList<>();

    private SettingRanges() {}

    /** One line for each value. */
    static List<String> problems(ElasticJobProperties properties) {
        var ranges = new SettingRanges();
        ranges.engine(properties);
        ranges.groups(properties.dynamicSharding());
        ranges.alerts(properties.alerts());
        ranges.tracing(properties.tracing());
        ranges.metrics(properties.metrics());
        return ranges.problems;
    }

    private void engine(ElasticJobProperties properties) {
        Integer threads = properties.executor().maxThreads();
        if (threads != null) {
            atLeast(1, "executor.max-threads", threads);
        }
        atLeast(1, "events.queue-capacity", properties.events().queueCapacity());
        notNegative("shutdown-timeout", properties.shutdownTimeout());
        rebalanceDelay(properties.rebalanceDelay());
        positive("registry.server-tick", properties.registry().serverTick());
        int port = properties.registry().embedded().port();
        if (port < 0 || port > LAST_PORT) {
            problems.add(
                    "\"elasticjob.registry.embedded.port\" must be 0 to %d, but is %d.".formatted(LAST_PORT, port));
        }
        try {
            InstanceLabels.of(properties.worker().labels());
        } catch (IllegalArgumentException e) {
            problems.add("\"elasticjob.worker.labels\": %s.".formatted(e.getMessage()));
        }
        Integer capacity = properties.worker().capacity();
        if (capacity != null && capacity < 1) {
            problems.add(
                    ("\"elasticjob.worker.capacity\" must be at least 1, but is %d: set it to the weight of what may run at"
                                    + " once, or remove it for no limit.")
                            .formatted(capacity));
        }
        problems.addAll(new WorkerJobs(properties.worker()).problems());
        Duration idleAfter = properties.worker().idleAfter();
        if (idleAfter != null) {
            positive("worker.idle-after", idleAfter);
        }
        ElasticJobProperties.Instance instance = properties.instance();
        if (instance.ip() == null && instance.preferredNetwork() != null) {
            network(instance.preferredNetwork());
        }
    }

    private void rebalanceDelay(Duration delay) {
        Duration longest = ElasticJobEngineBuilder.LONGEST_REBALANCE_DELAY;
        notNegative("rebalance-delay", delay);
        if (delay.compareTo(longest) > 0) {
            problems.add(
                    "\"elasticjob.rebalance-delay\" must be at most %s, but is %s: set it to the time that a restart takes."
                            .formatted(DurationText.of(longest), DurationText.of(delay)));
        }
    }

    private void network(String preferred) {
        try {
            LocalAddress.on(preferred);
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage() + ".");
        }
    }

    private void groups(ElasticJobProperties.DynamicSharding groups) {
        ShardingGroups.namespaceProblem(groups.namespace()).ifPresent(problem -> problems.add(problem + "."));
        notNegative("dynamic-sharding.stop-timeout", groups.stopTimeout());
        notNegative("dynamic-sharding.join-delay", groups.joinDelay());
    }

    private void alerts(ElasticJobProperties.Alerts alerts) {
        notNegative("alerts.interval", alerts.interval());
        positive("alerts.timeout", alerts.timeout());
        Map<String, ElasticJobProperties.Webhook> webhooks = new TreeMap<>(Map.of(
                "webhook", alerts.webhook(),
                "slack", alerts.slack(),
                "dingtalk", alerts.dingtalk(),
                "wechat", alerts.wechat(),
                "feishu", alerts.feishu()));
        webhooks.forEach((name, webhook) -> {
            if (webhook.url() != null && !webhook.url().isBlank() && !isAddress(webhook.url())) {
                problems.add(
                        "\"elasticjob.alerts.%s.url\" was expected to be an absolute address that begins with \"http://\" or \"https://\". Its value is not shown, because it may have a secret."
                                .formatted(name));
            }
        });
    }

    private static boolean isAddress(String url) {
        try {
            URI uri = URI.create(url);
            return uri.getHost() != null && String.valueOf(uri.getScheme()).matches("https?");
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private void tracing(ElasticJobProperties.Tracing tracing) {
        notNegative("tracing.retention", tracing.retention());
        atLeast(1, "tracing.buffer-size", tracing.bufferSize());
        atLeast(1, "tracing.batch-size", tracing.batchSize());
        notNegative("tracing.flush-interval", tracing.flushInterval());
        notNegative("tracing.shutdown-timeout", tracing.shutdownTimeout());
        positive("tracing.query-timeout", tracing.queryTimeout());
    }

    private void metrics(ElasticJobProperties.Metrics metrics) {
        Duration interval = metrics.demandInterval();
        if (interval != null) {
            positive("metrics.demand-interval", interval);
        }
    }

    private void atLeast(int least, String name, int found) {
        if (found < least) {
            problems.add("\"elasticjob.%s\" must be at least %d, but is %d.".formatted(name, least, found));
        }
    }

    private void notNegative(String name, Duration found) {
        if (found.isNegative()) {
            problems.add("\"elasticjob.%s\" must not be negative, but is %s.".formatted(name, DurationText.of(found)));
        }
    }

    private void positive(String name, Duration found) {
        if (found.compareTo(SHORTEST) < 0) {
            problems.add("\"elasticjob.%s\" must be at least 1 ms, but is %s.".formatted(name, DurationText.of(found)));
        }
    }
}
