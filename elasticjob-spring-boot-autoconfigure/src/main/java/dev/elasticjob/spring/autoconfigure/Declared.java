package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.spring.ElasticJob;
import java.util.Map;
import java.util.Optional;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * A job as the application declares it.
 *
 * @param beanName empty where there is no bean
 * @param annotation with the defaults where there is none
 * @param definition of a bean that is one
 * @param origin the class or {@code @Bean} method that carries the annotation, or what stands in its place
 */
record Declared(
        Kind kind,
        String beanName,
        String jobName,
        ElasticJob annotation,
        Optional<JobDefinition> definition,
        String origin) {
    /** By what it is declared. */
    enum Kind {
        ANNOTATION,
        DEFINITION,
        PROPERTIES
    }

    static Declared byAnnotation(String beanName, String jobName, ElasticJob annotation, String origin) {
        return new Declared(Kind.ANNOTATION, beanName, jobName, annotation, Optional.empty(), origin);
    }

    static Declared byDefinition(String beanName, JobDefinition definition) {
        String name = definition.jobName();
        return new Declared(
                Kind.DEFINITION, beanName, name, defaults(name), Optional.of(definition), "a JobDefinition");
    }

    static Declared byProperties(String jobName) {
        return new Declared(Kind.PROPERTIES, "", jobName, defaults(jobName), Optional.empty(), "the properties");
    }

    private static ElasticJob defaults(String jobName) {
        return AnnotationUtils.synthesizeAnnotation(Map.of("name", jobName), ElasticJob.class, null);
    }
}
