package dev.elasticjob.console.live;

import java.time.Instant;

/**
 * An answer as it was read. Nobody changes its bytes.
 *
 * @param tag is the same for the same bytes, and differs for others
 */
public record Snapshot(String tag, byte[] json, Instant readAt) {}
