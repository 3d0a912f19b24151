package dev.elasticjob.coordination.completion;

import dev.elasticjob.coordination.view.ItemView;

/**
 * How far an execution has come, as it is to be written.
 *
 * @param epoch at which its record was last seen
 * @param overwrites whether the node exists
 */
record Checkpoint(ClaimedItem claim, int epoch, String text, boolean overwrites) {
    /** The same, as the item was just read. */
    Checkpoint after(ItemView look) {
        return new Checkpoint(claim, epoch, text, look.children().checkpoint());
    }
}
