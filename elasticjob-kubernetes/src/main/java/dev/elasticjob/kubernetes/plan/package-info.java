/** The decision how many workers an application gets. Pure: nothing here knows Kubernetes. */
@NullMarked
package dev.elasticjob.kubernetes.plan;

import org.jspecify.annotations.NullMarked;
