package dev.elasticjob.spring.alert;

import java.net.URI;

/**
 * A request that a webhook is sent.
 *
 * @param uri where to, with what signs it
 * @param body JSON
 */
record Message(URI uri, String body) {}
