/** Jobs that only the registry has: which there are, and which of them this instance runs. */
@NullMarked
package dev.elasticjob.engine.registryjob;

import org.jspecify.annotations.NullMarked;
