package dev.elasticjob.coordination.view;

/**
 * What a leader does besides assigning the items: it plugs in, so that those who lead don't name it. Called on the
 * coordination executor.
 */
public interface LeaderTask extends AutoCloseable {
    /** This instance leads, and has read the job's nodes. */
    void lead(LeaderDuty duty);

    /** This instance doesn't lead, or the definition can't be read. */
    void resign();

    /** This instance's part in the job has ended. */
    @Override
    void close();
}
