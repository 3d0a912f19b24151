/** What an instance runs although only the registry says so. */
@NullMarked
package dev.elasticjob.definition.trust;

import org.jspecify.annotations.NullMarked;
