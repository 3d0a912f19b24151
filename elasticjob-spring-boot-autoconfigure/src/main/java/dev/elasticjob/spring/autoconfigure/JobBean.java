package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;

/** A bean that is a job, and its settings. */
sealed interface JobBean {
    JobDefinition definition();

    void registerWith(ElasticJobEngine engine);

    record Simple(JobDefinition definition, SimpleJob job) implements JobBean {
        @Override
        public void registerWith(ElasticJobEngine engine) {
            engine.register(definition, job);
        }
    }

    record Dataflow(JobDefinition definition, DataflowJob<?> job) implements JobBean {
        @Override
        public void registerWith(ElasticJobEngine engine) {
            engine.register(definition, job);
        }
    }
}
