/** Who carried out a command, and why a command was refused. Commands are events and log lines. Thread-safe. */
@NullMarked
package dev.elasticjob.admin.command;

import org.jspecify.annotations.NullMarked;
