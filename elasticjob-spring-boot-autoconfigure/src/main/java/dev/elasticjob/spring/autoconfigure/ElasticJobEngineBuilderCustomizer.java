package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.engine.ElasticJobEngineBuilder;

/**
 * Changes the engine's settings before it is built, for example its clock, timer or workers. Beans of this type are
 * called in order, on the thread that starts the application.
 */
@FunctionalInterface
public interface ElasticJobEngineBuilderCustomizer {
    void customize(ElasticJobEngineBuilder builder);
}
