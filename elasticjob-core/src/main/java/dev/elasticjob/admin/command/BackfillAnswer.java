package dev.elasticjob.admin.command;

import java.time.Instant;

/**
 * A backfill that has begun.
 *
 * @param id of the backfill; its runs are named {@code backfill-<id>-<time in milliseconds>}
 * @param times how many scheduled times it has
 * @param first the first of them
 */
public record BackfillAnswer(String id, int times, Instant first) {}
