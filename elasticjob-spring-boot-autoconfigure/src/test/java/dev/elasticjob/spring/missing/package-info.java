/** Applications that lack a jar that this module can use. */
@NullMarked
package dev.elasticjob.spring.missing;

import org.jspecify.annotations.NullMarked;
