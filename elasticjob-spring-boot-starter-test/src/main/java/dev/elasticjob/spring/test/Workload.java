package dev.elasticjob.spring.test;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.ElasticJobEngineBuilder;

/** The jobs that every started instance runs, and their settings. */
interface Workload {
    /** Sets everything that the kit doesn't set. */
    void configure(ElasticJobEngineBuilder engine);

    void registerWith(ElasticJobEngine engine);
}
