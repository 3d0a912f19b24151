/**
 * Error handlers that tell people: by mail, and by webhooks. The door is {@link
 * dev.elasticjob.spring.alert.AlertAutoConfiguration}.
 *
 * <p>A failure is reported on a thread that runs items, which only hands it over: each handler sends on one thread of its
 * own. Imports {@code autoconfigure} and the core's {@code job} and {@code time}; imported by nobody.
 */
@NullMarked
package dev.elasticjob.spring.alert;

import org.jspecify.annotations.NullMarked;
