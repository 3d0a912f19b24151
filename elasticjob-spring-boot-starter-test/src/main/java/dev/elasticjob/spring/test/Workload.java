package dev.elasticjob.spring.test;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.ElasticJobEngineBuilder;

/** What every instance that a test starts is to run, and how. */
interface Workload {
    /** Sets what is not the kit's to set. */
    void configure(ElasticJobEngineBuilder engine);

    void registerWith(ElasticJobEngine engine);
}
