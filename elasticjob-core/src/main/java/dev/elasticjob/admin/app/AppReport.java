package dev.elasticjob.admin.app;

import java.time.Instant;
import java.util.Optional;

/**
 * An application of Kubernetes, as the registry shows it. Immutable.
 *
 * @param id the name of its node: the cluster's namespace and its name, with a dot between them
 * @param app what its controller shows
 * @param attended whether a controller looks after it now; if none does, what it shows is as old as it is
 * @param published when the controller last had something new to show, by the registry's clock
 * @param suspension by which an operator keeps it from getting workers
 */
public record AppReport(
        String id, PublishedApp app, boolean attended, Instant published, Optional<Suspension> suspension) {}
