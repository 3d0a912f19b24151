package dev.elasticjob.definition.schedule;

import java.time.Instant;
import java.util.Optional;

/**
 * A firing that a calendar leaves out. Immutable.
 *
 * @param time when the job would fire without the calendar
 * @param movedTo when it fires instead; empty if it doesn't
 */
public record LeftOut(Instant time, Optional<Instant> movedTo) {}
