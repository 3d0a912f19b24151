/** Applications as people write them down: the resource ElasticApp, and the check of everything in it. */
@NullMarked
package dev.elasticjob.kubernetes.app;

import org.jspecify.annotations.NullMarked;
