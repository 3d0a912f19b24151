package dev.elasticjob.execution.invoker;

import dev.elasticjob.definition.InvalidJobDefinitionException;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.kind.JobKind;
import dev.elasticjob.definition.kind.JobKinds;
import dev.elasticjob.definition.trust.RegistryTrust;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Runs jobs as their definitions say, each by its kind: those of an engine. Thread-safe. */
public final class KindInvokers {
    private final JobKinds kinds;
    private final RegistryTrust trust;
    private final Map<JobType, KindInvoker> builtIn = new HashMap<>();

    /**
     * @param references replaces the references in what an HTTP job sends
     * @param trust what this instance runs although only the registry says so
     */
    public KindInvokers(JobKinds kinds, UnaryOperator<String> references, RegistryTrust trust) {
        this.kinds = kinds;
        this.trust = trust;
        Stream.of(
                        new BeansOfRegistryJobs(JobType.SIMPLE, name -> JobInvoker.of(known(trust.simpleJobs(), name))),
                        new BeansOfRegistryJobs(
                                JobType.DATAFLOW, name -> JobInvoker.of(known(trust.dataflowJobs(), name))),
                        new ScriptJobInvoker.OfScripts(),
                        new HttpJobInvoker.OfRequests(references, new HttpClients()))
                .forEach(kind -> builtIn.put(kind.type(), kind));
    }

    private static <J> J known(Map<String, J> jobs, String name) {
        return Objects.requireNonNull(jobs.get(name), name);
    }

    /** The invoker for a job of the application that consists of its definition. Its kind is there. */
    public JobInvoker declared(JobDefinition declared) {
        DeclaredWork work = new DeclaredWork(declared, kinds.rules(declared.jobType()), trust);
        return of(declared.jobType()).declared(declared, work::chosen);
    }

    /** The invoker for all jobs that are kept in the registry. */
    public JobInvoker kept() {
        return context -> {
            JobDefinition claimed = context.definition();
            trust.objection(claimed).ifPresent(objection -> {
                throw new IllegalStateException(
                        "Job \"%s\" is kept in the registry, and this instance may not run it: %s"
                                .formatted(claimed.jobName(), objection));
            });
            kinds.unknown(claimed.jobType()).ifPresent(unknown -> {
                throw new InvalidJobDefinitionException(claimed.jobName(), List.of(unknown));
            });
            of(claimed.jobType()).kept().invoke(context);
        };
    }

    private KindInvoker of(JobType type) {
        return kinds.own(type)
                .<KindInvoker>map(OfApplication::new)
                .orElseGet(() -> Objects.requireNonNull(builtIn.get(type), type::name));
    }

    private final class OfApplication implements KindInvoker {
        private final JobKind kind;

        OfApplication(JobKind kind) {
            this.kind = kind;
        }

        @Override
        public JobType type() {
            return new JobType(kind.name());
        }

        @Override
        public JobInvoker declared(JobDefinition declared, UnaryOperator<JobDefinition> chosen) {
            return context -> execute(chosen.apply(context.definition()), declared, context);
        }

        @Override
        public JobInvoker kept() {
            return context -> {
                JobDefinition claimed = context.definition();
                check(claimed);
                kind.execute(claimed, context);
            };
        }

        /** What the registry has changed was not checked when the job was declared. */
        private void execute(JobDefinition chosen, JobDefinition declared, ItemContext context) throws Exception {
            if (!chosen.jobProperties().equals(declared.jobProperties())) {
                check(chosen);
            }
            kind.execute(chosen, context);
        }

        private void check(JobDefinition job) {
            List<Violation> violations = kinds.violations(job);
            if (!violations.isEmpty()) {
                throw new InvalidJobDefinitionException(job.jobName(), violations);
            }
        }
    }

    /** Jobs with code: of those that are kept in the registry, {@code jobClass} names the bean. */
    private record BeansOfRegistryJobs(JobType type, Function<String, JobInvoker> beans) implements KindInvoker {
        @Override
        public JobInvoker declared(JobDefinition declared, UnaryOperator<JobDefinition> chosen) {
            throw new IllegalArgumentException(
                    "Job \"%s\" is of the type %s, which needs a job object: register it together with its definition"
                            .formatted(declared.jobName(), type));
        }

        @Override
        public JobInvoker kept() {
            return context -> beans.apply(context.definition().jobClass()).invoke(context);
        }
    }
}
