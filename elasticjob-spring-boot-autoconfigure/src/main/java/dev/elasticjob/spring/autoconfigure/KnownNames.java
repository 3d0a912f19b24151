package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.kind.JobKind;
import dev.elasticjob.definition.kind.JobKinds;
import dev.elasticjob.definition.text.NearestName;
import dev.elasticjob.engine.DefinitionNames;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingStrategy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.springframework.beans.factory.ListableBeanFactory;

/** The names of strategies, error handlers and executors that jobs may use, and the kinds of jobs. */
interface KnownNames {
    /** Used for an engine of the application itself, which checks the names when the jobs are registered. */
    KnownNames ANY = new KnownNames() {
        @Override
        public Optional<Violation> unknownStrategy(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<Violation> unknownErrorHandler(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<Violation> unknownExecutor(String name) {
            return Optional.empty();
        }

        @Override
        public Optional<JobKinds> kinds() {
            return Optional.empty();
        }
    };

    /** The built-in names, and those of the application's beans. */
    static KnownNames of(ListableBeanFactory beans) {
        return new KnownNames() {
            @Override
            public Optional<Violation> unknownStrategy(String name) {
                return DefinitionNames.unknownStrategy(name, names(ShardingStrategy.class));
            }

            @Override
            public Optional<Violation> unknownErrorHandler(String name) {
                return DefinitionNames.unknownErrorHandler(name, names(JobErrorHandler.class));
            }

            @Override
            public Optional<Violation> unknownExecutor(String name) {
                return DefinitionNames.unknownExecutor(name, names(Executor.class));
            }

            @Override
            public Optional<JobKinds> kinds() {
                List<JobKind> own = EngineBeans.kinds(beans);
                return JobKinds.problems(own).isEmpty() ? Optional.of(JobKinds.of(own)) : Optional.empty();
            }

            private List<String> names(Class<?> type) {
                return EngineBeans.names(beans, type);
            }
        };
    }

    Optional<Violation> unknownStrategy(String name);

    Optional<Violation> unknownErrorHandler(String name);

    Optional<Violation> unknownExecutor(String name);

    /** Empty if they are not known, or can't be used. */
    Optional<JobKinds> kinds();

    /** The violation of a type that no kind has, in the words of properties. */
    default Optional<Violation> unknownKind(JobType type) {
        return kinds().filter(known -> known.unknown(type).isPresent()).map(known -> {
            String meant = NearestName.aside(type.kebab(), known.names());
            return new Violation(
                    "jobType", type.kebab(), "expected one of %s%s".formatted(String.join(", ", known.names()), meant));
        });
    }

    default boolean isOwnKind(JobType type) {
        return kinds().flatMap(known -> known.own(type)).isPresent();
    }

    /** What the kinds say of a job. */
    default List<Violation> violations(JobDefinition job) {
        return isOwnKind(job.jobType())
                ? kinds().map(known -> known.violations(job)).orElse(List.of())
                : unknownKind(job.jobType()).stream().toList();
    }

    /** The kinds whose jobs need no bean, as people write them. */
    default List<String> withoutCode() {
        return kinds().orElse(JobKinds.BUILT_IN).names().stream()
                .filter(name -> JobType.of(name).isWithoutCode())
                .toList();
    }
}
