/**
 * Commands of operators: their requests and answers, who carries them out, and why one was refused. The doors are
 * {@link dev.elasticjob.admin.command.RunCommands}, {@link dev.elasticjob.admin.command.PauseCommands},
 * {@link dev.elasticjob.admin.command.DrainCommands}, {@link dev.elasticjob.admin.command.DisableCommands} and
 * {@link dev.elasticjob.admin.command.DefinitionCommands}. Each command is an event and a log line
 * ({@link dev.elasticjob.admin.command.CommandLog}), and some wait until the instances of a job follow them
 * ({@link dev.elasticjob.admin.command.PlanWaits}). Thread-safe; nothing here blocks.
 */
@NullMarked
package dev.elasticjob.admin.command;

import org.jspecify.annotations.NullMarked;
