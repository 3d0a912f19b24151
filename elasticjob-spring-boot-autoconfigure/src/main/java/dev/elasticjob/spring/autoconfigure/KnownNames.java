package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.engine.DefinitionNames;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingStrategy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.springframework.beans.factory.ListableBeanFactory;

/** The names of strategies, error handlers and executors that jobs may use. */
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

            private List<String> names(Class<?> type) {
                return EngineBeans.names(beans, type);
            }
        };
    }

    Optional<Violation> unknownStrategy(String name);

    Optional<Violation> unknownErrorHandler(String name);

    Optional<Violation> unknownExecutor(String name);
}
