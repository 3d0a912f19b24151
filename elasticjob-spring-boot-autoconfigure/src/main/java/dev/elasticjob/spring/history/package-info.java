/**
 * What the event trace has recorded, for people and for programs. The door is {@link
 * dev.elasticjob.spring.history.JobHistory}.
 *
 * <p>Questions run on threads of their own, for as long as the limit allows, while the caller waits. Imports only the core's
 * events.
 */
@NullMarked
package dev.elasticjob.spring.history;

import org.jspecify.annotations.NullMarked;
