/** What the controller reads of the applications' registries. */
@NullMarked
package dev.elasticjob.kubernetes.registry;

import org.jspecify.annotations.NullMarked;
