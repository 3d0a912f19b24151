package dev.elasticjob.admin;

import dev.elasticjob.admin.Attention.Finding;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the registry's own node says of its data. Immutable.
 *
 * @param loss that the data was lost, or has gone back to an older copy, and that no operator has confirmed it
 * @param fencingTokensAbove what the fencing tokens of all jobs are greater than; empty if no instance has started in the
 *     namespace yet, or if somebody has spoilt the node
 */
public record RegistryDataReport(Optional<Finding> loss, OptionalLong fencingTokensAbove) {}
