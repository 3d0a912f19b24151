package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.JobDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Finds jobs that run after each other in a circle. Pure; sees the definitions of one application only. */
final class FollowerCycles {
    private final Map<String, List<String>> parents = new TreeMap<>();
    private final List<List<String>> found = new ArrayList<>();
    private final Set<String> finished = new HashSet<>();

    private FollowerCycles(Collection<JobDefinition> definitions) {
        definitions.forEach(one -> parents.put(one.jobName(), one.after().jobs()));
    }

    /** Each cycle once, from a job to the last one that it waits for. */
    static List<List<String>> among(Collection<JobDefinition> definitions) {
        var cycles = new FollowerCycles(definitions);
        cycles.parents.keySet().forEach(job -> cycles.walk(job, new LinkedHashSet<>()));
        return cycles.found;
    }

    private void walk(String job, Set<String> path) {
        if (!path.add(job)) {
            List<String> walked = List.copyOf(path);
            found.add(walked.subList(walked.indexOf(job), walked.size()));
            return;
        }
        if (!finished.contains(job)) {
            parents.getOrDefault(job, List.of()).forEach(parent -> walk(parent, path));
            finished.add(job);
        }
        path.remove(job);
    }
}
