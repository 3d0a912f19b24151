package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.spring.ElasticJob;
import java.lang.reflect.Method;
import java.util.Optional;

/**
 * A job as it is declared in the application.
 *
 * @param beanName the bean that declares it; empty if there is none
 * @param workBean the bean that does its work; empty for a script or an HTTP request
 * @param annotation the annotation, if it is declared by one
 * @param method the method of the bean that does the work, if it isn't the bean itself
 * @param definition the bean, if it is a definition
 * @param origin the class or method with the annotation, or a description of the declaration
 */
record Declared(
        Kind kind,
        String beanName,
        String workBean,
        String jobName,
        Optional<ElasticJob> annotation,
        Optional<Method> method,
        Optional<JobDefinition> definition,
        String origin) {
    enum Kind {
        ANNOTATION,
        DEFINITION,
        PROPERTIES
    }

    static Declared byAnnotation(String beanName, String jobName, ElasticJob annotation, String origin) {
        return new Declared(
                Kind.ANNOTATION,
                beanName,
                beanName,
                jobName,
                Optional.of(annotation),
                Optional.empty(),
                Optional.empty(),
                origin);
    }

    static Declared byMethod(String beanName, String jobName, ElasticJob annotation, Method method, String origin) {
        return new Declared(
                Kind.ANNOTATION,
                beanName,
                beanName,
                jobName,
                Optional.of(annotation),
                Optional.of(method),
                Optional.empty(),
                origin);
    }

    static Declared byDefinition(String beanName, String workBean, JobDefinition definition) {
        return new Declared(
                Kind.DEFINITION,
                beanName,
                workBean,
                definition.jobName(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(definition),
                "a JobDefinition");
    }

    static Declared byProperties(String jobName, String workBean) {
        return new Declared(
                Kind.PROPERTIES,
                "",
                workBean,
                jobName,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "the properties");
    }

    /** Whether the name contains something that Spring should have replaced. */
    boolean hasUnresolvedName() {
        return jobName.contains("${") || jobName.contains("#{");
    }

    boolean isNamed() {
        return !jobName.isBlank() && !hasUnresolvedName();
    }

    boolean isWithoutCode() {
        return workBean.isEmpty();
    }
}
