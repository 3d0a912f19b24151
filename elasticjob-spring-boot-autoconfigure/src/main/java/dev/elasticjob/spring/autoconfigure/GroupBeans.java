package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.ShardingGroups;
import dev.elasticjob.group.ShardingNotice;
import dev.elasticjob.spring.DynamicSharding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.boot.diagnostics.FailureAnalyzedException;

/**
 * The application's beans that take part in groups: each {@link ShardingNotice}, in the group that its annotation names. One
 * without an annotation takes part in the group without a name. All errors are reported at once.
 */
public final class GroupBeans implements SmartInitializingSingleton {
    private final ConfigurableListableBeanFactory beans;
    private final boolean takesPart;
    // Written once on the thread that starts the application, read by others after it.
    private volatile Map<String, ShardingNotice> notices = Map.of();

    /** @param takesPart whether to look for such beans at all */
    GroupBeans(ConfigurableListableBeanFactory beans, boolean takesPart) {
        this.beans = beans;
        this.takesPart = takesPart;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (takesPart) {
            notices = find();
        }
    }

    private Map<String, ShardingNotice> find() {
        List<String> problems = problems();
        if (!problems.isEmpty()) {
            throw new FailureAnalyzedException(
                    String.join(System.lineSeparator(), problems),
                    "Correct the beans mentioned above, or the groups that their @DynamicSharding names.");
        }
        Map<String, ShardingNotice> found = new TreeMap<>();
        byGroup().forEach((group, names) -> found.put(group, beans.getBean(names.get(0), ShardingNotice.class)));
        return found;
    }

    private Map<String, List<String>> byGroup() {
        Map<String, List<String>> byGroup = new TreeMap<>();
        for (String bean : beans.getBeanNamesForType(ShardingNotice.class)) {
            if (!ScopedProxyUtils.isScopedTarget(bean)) {
                byGroup.computeIfAbsent(group(bean), any -> new ArrayList<>()).add(bean);
            }
        }
        return byGroup;
    }

    /** What is wrong with the beans that take part in groups, or try to. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (String bean : beans.getBeanNamesForAnnotation(DynamicSharding.class)) {
            if (!beans.isTypeMatch(bean, ShardingNotice.class)) {
                problems.add("Bean \"%s\" has @DynamicSharding, so it must implement ShardingNotice.".formatted(bean));
            }
        }
        byGroup().forEach((group, names) -> {
            ShardingGroups.problem(group)
                    .ifPresent(expected -> problems.add("Bean \"%s\" can't take part in the group \"%s\": %s."
                            .formatted(names.get(0), group, expected)));
            if (names.size() > 1) {
                problems.add("Group \"%s\" is declared by %d beans: %s. Give each bean a group of its own."
                        .formatted(
                                group,
                                names.size(),
                                names.stream().map("\"%s\""::formatted).collect(Collectors.joining(" and "))));
            }
        });
        return problems;
    }

    private String group(String bean) {
        DynamicSharding annotation = beans.findAnnotationOnBean(bean, DynamicSharding.class);
        if (annotation == null) {
            return "";
        }
        String resolved = new EmbeddedValueResolver(beans).resolveStringValue(annotation.value());
        return resolved == null ? "" : resolved;
    }

    /** Whether the application takes part in any group. */
    public boolean hasGroups() {
        return !notices.isEmpty();
    }

    /** The same, before they have been fetched. */
    boolean areDeclared() {
        return takesPart && !byGroup().isEmpty();
    }

    /** Joins all of them with an engine that is not started. */
    void joinWith(ElasticJobEngine engine) {
        notices.forEach((group, notice) -> engine.groups().join(group, notice));
    }
}
