/** What the controller sees of Kubernetes, and does there: behind a port, and how its objects look. */
@NullMarked
package dev.elasticjob.kubernetes.cluster;

import org.jspecify.annotations.NullMarked;
