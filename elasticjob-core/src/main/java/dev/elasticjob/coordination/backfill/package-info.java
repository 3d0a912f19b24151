/**
 * Past scheduled times that an operator has run, one after the other: {@code docs/internals/protocol-backfill.md}. Start
 * at {@link dev.elasticjob.coordination.backfill.BackfillLeader}.
 */
@NullMarked
package dev.elasticjob.coordination.backfill;

import org.jspecify.annotations.NullMarked;
