package dev.elasticjob.admin.command;

/**
 * The answer to a command that drains an instance, or undoes that.
 *
 * @param changed whether it has changed anything; false if it was already so
 * @param inForce after a drain: whether the instance owns no items any more. Otherwise no leader has answered in time; the
 *     drain comes into force as soon as an instance leads, without another command
 */
public record DrainAnswer(boolean changed, boolean inForce) {}
