package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.SimpleJob;

/** A job of the application, usually a bean, with its settings. */
sealed interface JobBean {
    JobDefinition definition();

    void registerWith(ElasticJobEngine engine);

    record Simple(JobDefinition definition, SimpleJob job) implements JobBean {
        @Override
        public void registerWith(ElasticJobEngine engine) {
            engine.register(definition, job);
        }
    }

    /** A job that consists of its definition only. */
    record WithoutCode(JobDefinition definition) implements JobBean {
        @Override
        public void registerWith(ElasticJobEngine engine) {
            engine.register(definition);
        }
    }

    record Dataflow(JobDefinition definition, DataflowJob<?> job) implements JobBean {
        @Override
        public void registerWith(ElasticJobEngine engine) {
            engine.register(definition, job);
        }
    }
}
