package dev.elasticjob.spring.test;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.engine.ElasticJobEngineBuilder;
import dev.elasticjob.spring.autoconfigure.ElasticJobEngineBuilderCustomizer;
import dev.elasticjob.spring.autoconfigure.EngineBeans;
import dev.elasticjob.spring.autoconfigure.JobBeanCollector;
import org.springframework.beans.factory.ListableBeanFactory;

/** The application's beans: its jobs, and the beans of its own engine. Looked up when an instance starts. */
final class ApplicationWorkload implements Workload {
    private final ListableBeanFactory beans;

    ApplicationWorkload(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** Makes the application's engine an instance of the cluster. */
    record OwnInstance(Instances instances) implements ElasticJobEngineBuilderCustomizer {
        @Override
        public void customize(ElasticJobEngineBuilder engine) {
            instances.settleApplication(engine);
        }
    }

    @Override
    public void configure(ElasticJobEngineBuilder engine) {
        new EngineBeans(beans).addTo(engine, customizer -> !(customizer instanceof OwnInstance));
    }

    @Override
    public void registerWith(ElasticJobEngine engine) {
        beans.getBean(JobBeanCollector.class).registerWith(engine);
    }
}
