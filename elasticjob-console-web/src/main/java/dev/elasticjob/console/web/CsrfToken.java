package dev.elasticjob.console.web;

/**
 * The host's token against forged requests.
 *
 * @param header the name of the header that carries it
 */
public record CsrfToken(String header, String token) {}
