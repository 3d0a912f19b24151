package dev.elasticjob.kubernetes.cluster;

import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;

/** Where the API server has the resource {@code ElasticApp}. */
final class ElasticApps {
    static final String KIND = "ElasticApp";
    static final String GROUP = "elasticjob.dev";
    static final String VERSION = "v1alpha1";
    static final String API_VERSION = GROUP + "/" + VERSION;

    static final ResourceDefinitionContext CONTEXT = new ResourceDefinitionContext.Builder()
            .withGroup(GROUP)
            .withVersion(VERSION)
            .withKind(KIND)
            .withPlural("elasticapps")
            .withNamespaced(true)
            .build();

    private ElasticApps() {}
}
