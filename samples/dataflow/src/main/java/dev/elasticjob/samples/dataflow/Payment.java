package dev.elasticjob.samples.dataflow;

/**
 * A payment to be sent.
 *
 * @param id ascending, so that a stream can store it as its checkpoint
 */
record Payment(long id, String receiver, long cents) {}
