package dev.elasticjob.spring.alert;

/** A way to tell people. Called on one thread, one alert at a time; may block for as long as its timeouts allow. */
interface AlertChannel {
    /**
     * Sends the alert.
     *
     * @throws Exception when it could not be sent; its text goes into the log, so it must not contain a secret
     */
    void send(Alert alert) throws Exception;
}
