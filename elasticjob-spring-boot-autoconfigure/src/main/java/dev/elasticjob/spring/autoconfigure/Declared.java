package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.spring.ElasticJob;
import java.util.Map;
import java.util.Optional;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * A job as it is declared in the application.
 *
 * @param beanName empty if there is no bean
 * @param annotation the annotation, or its defaults if there is none
 * @param definition the bean, if it is a definition
 * @param origin the class or {@code @Bean} method with the annotation, or a description of the declaration
 */
record Declared(
        Kind kind,
        String beanName,
        String jobName,
        ElasticJob annotation,
        Optional<JobDefinition> definition,
        String origin) {
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
