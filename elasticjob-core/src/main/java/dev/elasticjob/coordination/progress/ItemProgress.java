package dev.elasticjob.coordination.progress;

/**
 * How far one execution has come, as the job's code says it. Immutable.
 *
 * @param done how much is done, in whatever the job counts
 * @param total how much there is to do; 0 if that isn't known
 * @param text what it is about; empty if nothing was said
 */
public record ItemProgress(long done, long total, String text) {
    /** Of the text, in UTF-8. Longer ones are cut. */
    public static final int MAX_BYTES_OF_TEXT = 128;

    public ItemProgress {
        if (done < 0 || total < 0) {
            throw new IllegalArgumentException(
                    "Expected what is done and the total to be 0 or more, but they were %d and %d. Use 0 for a total that isn't known"
                            .formatted(done, total));
        }
    }
}
