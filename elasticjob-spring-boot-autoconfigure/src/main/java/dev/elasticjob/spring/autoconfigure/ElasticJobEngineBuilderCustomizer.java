package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.engine.ElasticJobEngineBuilder;

/**
 * Changes the engine's settings before it is built: a clock, a timer, workers of one's own. Beans of this type are
 * called in their order, on the thread that starts the application.
 */
@FunctionalInterface
public interface ElasticJobEngineBuilderCustomizer {
    void customize(ElasticJobEngineBuilder builder);
}
