package dev.elasticjob.kubernetes.plan;

import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The workers of a pool that are always there, as they were seen. Immutable.
 *
 * @param replicas how many the cluster keeps
 * @param template from which it starts them now
 * @param pods the template of each, by name
 * @param reason why one of them isn't started
 */
public record Base(int replicas, String template, Map<String, String> pods, Optional<Reason> reason) {
    /** There are none. */
    public static final Base NONE = new Base(0, "", Map.of(), Optional.empty());

    public Base {
        pods = Map.copyOf(pods);
    }

    /** How the text of a reason begins that is of this pod. */
    public static String ofPod(String pod) {
        return "pod \"%s\": ".formatted(pod);
    }

    Set<String> pods(String ofTemplate) {
        return pods.entrySet().stream()
                .filter(pod -> pod.getValue().equals(ofTemplate))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(HashSet::new));
    }
}
