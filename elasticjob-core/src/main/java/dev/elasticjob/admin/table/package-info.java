/**
 * What operators can command, a row for each: its arguments, its call of {@link dev.elasticjob.admin.JobAdmin}, and what it
 * would do. The door is {@link dev.elasticjob.admin.table.CommandTable}; endpoint and console are made of its rows, and read
 * arguments through {@link dev.elasticjob.admin.table.GivenArguments}. Thread-safe, except for what belongs to one request;
 * nothing here blocks.
 */
@NullMarked
package dev.elasticjob.admin.table;

import org.jspecify.annotations.NullMarked;
