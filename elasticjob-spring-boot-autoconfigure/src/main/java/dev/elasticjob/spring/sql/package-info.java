/** The kind of jobs that run a SQL statement: {@code job-type: sql}. */
@NullMarked
package dev.elasticjob.spring.sql;

import org.jspecify.annotations.NullMarked;
