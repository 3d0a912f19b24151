package dev.elasticjob.definition.trust;

import dev.elasticjob.definition.HttpRequestSettings;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.text.HttpOrigin;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What an instance runs although only the registry says so: whole jobs that are kept there, and changed command lines and
 * URIs of its own jobs. Everyone who may write to the registry can have it run what is allowed here. Immutable.
 *
 * @param scripts whether it runs any command line
 * @param hosts where it sends HTTP requests; empty if it sends none
 * @param simpleJobs the simple jobs that definitions may refer to, by name
 * @param dataflowJobs the dataflow jobs that definitions may refer to, by name
 */
public record RegistryTrust(
        boolean scripts,
        Optional<Set<HttpOrigin>> hosts,
        Map<String, SimpleJob> simpleJobs,
        Map<String, DataflowJob<?>> dataflowJobs) {
    /** Nothing. */
    public static final RegistryTrust NONE = new RegistryTrust(false, Optional.empty(), Map.of(), Map.of());

    public RegistryTrust {
        hosts = hosts.map(LinkedHashSet::new).map(Collections::unmodifiableSet);
        simpleJobs = Map.copyOf(simpleJobs);
        dataflowJobs = Map.copyOf(dataflowJobs);
    }

    /** The same with scripts: any command line, with the rights of this process. */
    public RegistryTrust withScripts() {
        return new RegistryTrust(true, hosts, simpleJobs, dataflowJobs);
    }

    /**
     * The same with HTTP requests.
     *
     * @param allowed the hosts, as {@link HttpOrigin#allowed} reads them
     * @throws IllegalArgumentException if one of them is no host
     */
    public RegistryTrust withHosts(Collection<String> allowed) {
        Set<HttpOrigin> origins = new LinkedHashSet<>();
        allowed.stream().map(HttpOrigin::allowed).forEach(origins::add);
        return new RegistryTrust(scripts, Optional.of(origins), simpleJobs, dataflowJobs);
    }

    /** The same with a job that definitions refer to by this name, in {@code jobClass}. */
    public RegistryTrust withCode(String name, SimpleJob job) {
        return new RegistryTrust(scripts, hosts, with(simpleJobs, name, job), dataflowJobs);
    }

    /** The same with a dataflow job. */
    public RegistryTrust withCode(String name, DataflowJob<?> job) {
        return new RegistryTrust(scripts, hosts, simpleJobs, with(dataflowJobs, name, job));
    }

    private static <J> Map<String, J> with(Map<String, J> jobs, String name, J job) {
        Map<String, J> more = new HashMap<>(jobs);
        more.put(name, job);
        return more;
    }

    /** Why this instance doesn't run such a job from the registry, and what would change it; empty if it does. */
    public Optional<String> objection(JobDefinition kept) {
        return switch (kept.jobType()) {
            case SCRIPT -> scriptObjection();
            case HTTP -> httpObjection(kept.http().orElseThrow());
            case SIMPLE -> codeObjection(kept, simpleJobs.keySet(), JobType.DATAFLOW, dataflowJobs.keySet());
            case DATAFLOW -> codeObjection(kept, dataflowJobs.keySet(), JobType.SIMPLE, simpleJobs.keySet());
        };
    }

    private Optional<String> scriptObjection() {
        return scripts
                ? Optional.empty()
                : Optional.of("this instance runs no scripts from the registry; to allow all of them, set"
                        + " \"elasticjob.registry-jobs.scripts\" to true");
    }

    private Optional<String> httpObjection(HttpRequestSettings request) {
        if (hosts.isEmpty()) {
            return Optional.of("this instance sends no HTTP requests from the registry; to allow them, set"
                    + " \"elasticjob.registry-jobs.http\" to true and \"elasticjob.registry-jobs.allowed-hosts\"");
        }
        return hosts.get().contains(request.origin())
                ? Optional.empty()
                : Optional.of("\"elasticjob.registry-jobs.allowed-hosts\" of this instance doesn't contain %s"
                        .formatted(request.origin()));
    }

    /**
     * @param names of the jobs of the right type
     * @param others of the jobs of the other type
     */
    private static Optional<String> codeObjection(
            JobDefinition kept, Set<String> names, JobType other, Set<String> others) {
        String name = kept.jobClass();
        if (names.contains(name)) {
            return Optional.empty();
        }
        return Optional.of(
                others.contains(name)
                        ? "the job has the type %s, but the bean \"%s\" of this instance is for jobs of the type %s"
                                .formatted(kept.jobType(), name, other)
                        : "\"elasticjob.registry-jobs.allowed-beans\" of this instance doesn't contain \"%s\""
                                .formatted(name));
    }
}
