/** The controller: starts as many workers in Kubernetes as there is work for, and does nothing else. */
@NullMarked
package dev.elasticjob.kubernetes;

import org.jspecify.annotations.NullMarked;
