package dev.elasticjob.samples.dataflow;

/** Where payments go. */
@FunctionalInterface
interface Bank {
    /** Sends one; sent twice, it arrives once: the bank knows it by its id. */
    void send(Payment payment);
}
