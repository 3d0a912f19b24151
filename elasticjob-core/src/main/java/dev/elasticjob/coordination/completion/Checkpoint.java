package dev.elasticjob.coordination.completion;

import dev.elasticjob.coordination.view.ItemView;

/**
 * How far an execution has come by its own word, as it is to be written.
 *
 * @param epoch at which its record was last seen
 * @param overwrites whether the node is there
 */
record Checkpoint(ClaimedItem claim, int epoch, String text, boolean overwrites) {
    /** The same after a look at the item. */
    Checkpoint after(ItemView look) {
        return new Checkpoint(claim, epoch, text, look.children().checkpoint());
    }
}
