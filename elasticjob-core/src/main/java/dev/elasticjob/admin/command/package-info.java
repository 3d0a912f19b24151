/**
 * Commands of operators, their answers, who carries them out, and why one was refused. Each is an event and a log line.
 * Thread-safe.
 */
@NullMarked
package dev.elasticjob.admin.command;

import org.jspecify.annotations.NullMarked;
