package dev.elasticjob.definition.trust;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.KindRules;
import dev.elasticjob.definition.TrustedWork;
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
 * @param kinds the application's own kinds whose jobs it runs
 */
public record RegistryTrust(
        boolean scripts,
        Optional<Set<HttpOrigin>> hosts,
        Map<String, SimpleJob> simpleJobs,
        Map<String, DataflowJob<?>> dataflowJobs,
        Set<JobType> kinds)
        implements TrustedWork {
    /** Nothing. */
    public static final RegistryTrust NONE = new RegistryTrust(false, Optional.empty(), Map.of(), Map.of(), Set.of());

    public RegistryTrust {
        hosts = hosts.map(LinkedHashSet::new).map(Collections::unmodifiableSet);
        simpleJobs = Map.copyOf(simpleJobs);
        dataflowJobs = Map.copyOf(dataflowJobs);
        kinds = Set.copyOf(kinds);
    }

    /** The same with scripts: any command line, with the rights of this process. */
    public RegistryTrust withScripts() {
        return new RegistryTrust(true, hosts, simpleJobs, dataflowJobs, kinds);
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
        return new RegistryTrust(scripts, Optional.of(origins), simpleJobs, dataflowJobs, kinds);
    }

    /** The same with a job that definitions refer to by this name, in {@code jobClass}. */
    public RegistryTrust withCode(String name, SimpleJob job) {
        return new RegistryTrust(scripts, hosts, with(simpleJobs, name, job), dataflowJobs, kinds);
    }

    /** The same with a dataflow job. */
    public RegistryTrust withCode(String name, DataflowJob<?> job) {
        return new RegistryTrust(scripts, hosts, simpleJobs, with(dataflowJobs, name, job), kinds);
    }

    /** The same with jobs of an application's own kind, whatever their properties are. */
    public RegistryTrust withKind(JobType type) {
        Set<JobType> more = new LinkedHashSet<>(kinds);
        more.add(type);
        return new RegistryTrust(scripts, hosts, simpleJobs, dataflowJobs, more);
    }

    private static <J> Map<String, J> with(Map<String, J> jobs, String name, J job) {
        Map<String, J> more = new HashMap<>(jobs);
        more.put(name, job);
        return more;
    }

    /** Why this instance doesn't run such a job from the registry, and what would change it; empty if it does. */
    public Optional<String> objection(JobDefinition kept) {
        return KindRules.of(kept.jobType()).objection(kept, this);
    }
}
