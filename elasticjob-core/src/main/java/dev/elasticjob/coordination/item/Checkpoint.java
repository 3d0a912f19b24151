package dev.elasticjob.coordination.item;

import dev.elasticjob.coordination.view.ItemView;

/**
 * The progress of an execution, to be written.
 *
 * @param epoch the epoch at which the record was last read
 * @param overwrites whether the node exists
 */
record Checkpoint(ClaimedItem claim, int epoch, String text, boolean overwrites) {
    /** Returns a copy that reflects the item as it was just read. */
    Checkpoint after(ItemView look) {
        return new Checkpoint(claim, epoch, text, look.children().checkpoint());
    }
}
