package dev.elasticjob.spring.test;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** Begins and ends the cluster with each test of an {@link ElasticJobTest}, and gives tests what they ask for. */
final class ElasticJobExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    @Override
    public void beforeEach(ExtensionContext test) {
        cluster(test).beforeEach(test);
    }

    @Override
    public void afterEach(ExtensionContext test) {
        cluster(test).afterEach(test);
    }

    /** What is {@code @Autowired} is Spring's to give. */
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        Class<?> type = parameter.getParameter().getType();
        return (type == Jobs.class || type == ElasticJobCluster.class)
                && parameter.getDeclaringExecutable() instanceof Method
                && !parameter.isAnnotated(Autowired.class);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return SpringExtension.getApplicationContext(test)
                .getBean(parameter.getParameter().getType());
    }

    private static ElasticJobCluster cluster(ExtensionContext test) {
        return SpringExtension.getApplicationContext(test).getBean(ElasticJobCluster.class);
    }
}
