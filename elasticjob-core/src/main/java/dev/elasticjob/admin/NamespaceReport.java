package dev.elasticjob.admin;

import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.command.PausedBy;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What stands in the registry for all jobs of a namespace. Immutable.
 *
 * @param paused that all jobs are paused; empty if they aren't, or if it may not be read
 * @param dataLoss that the registry has lost its data, or has gone back to an older copy, and that no operator has confirmed it
 * @param fencingTokensAbove what the fencing tokens of all jobs are greater than; empty if no instance has started in the
 *     namespace yet
 */
public record NamespaceReport(Optional<PausedBy> paused, Optional<Finding> dataLoss, OptionalLong fencingTokensAbove) {}
