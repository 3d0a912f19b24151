/** Methods of a service as jobs, by a calendar of workdays. */
@NullMarked
package dev.elasticjob.samples.calendar;

import org.jspecify.annotations.NullMarked;
