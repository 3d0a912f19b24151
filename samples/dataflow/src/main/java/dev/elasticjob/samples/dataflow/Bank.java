package dev.elasticjob.samples.dataflow;

/** The recipient of payments. */
@FunctionalInterface
interface Bank {
    /** Sends a payment. The bank recognizes a payment by its id, so one that is sent twice arrives once. */
    void send(Payment payment);
}
