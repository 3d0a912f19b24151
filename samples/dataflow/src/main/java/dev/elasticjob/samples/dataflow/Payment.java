package dev.elasticjob.samples.dataflow;

/**
 * Money that is to be sent.
 *
 * @param id ascending, so that a stream can say how far it has come
 */
record Payment(long id, String receiver, long cents) {}
