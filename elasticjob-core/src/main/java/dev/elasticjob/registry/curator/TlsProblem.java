package dev.elasticjob.registry.curator;

/**
 * Why a client and a server that reach each other don't connect: one of them doesn't accept the other's encryption.
 *
 * @param server {@code host:port}
 * @param detail what the JDK says of it; may be empty
 */
public record TlsProblem(Kind kind, String server, String detail) {
    private static final String CONNECT_STRING = "\"elasticjob.registry.connect-string\"";

    /** What doesn't fit. */
    public enum Kind {
        /** The server expects TLS, and the client doesn't use it. */
        EXPECTED,
        /** The client uses TLS, and the server doesn't. */
        NOT_SPOKEN,
        /** The client doesn't trust the server's certificate. */
        UNTRUSTED_SERVER,
        /** The server's certificate is for another name. */
        OTHER_NAME,
        /** The server requires a certificate of the client, which has none. */
        NO_CLIENT_CERTIFICATE,
        /** The server refuses the client's certificate, or anything else of its part of the handshake. */
        REFUSED_CLIENT
    }

    /**
     * What was found, in a sentence.
     *
     * @param certificates the client's, for people, as in {@code the SSL bundle "shop"}
     */
    public String found(String certificates) {
        return switch (kind) {
            case EXPECTED ->
                "The server at \"%s\" expects TLS, but this application connects without it.".formatted(server);
            case NOT_SPOKEN ->
                "The server at \"%s\" is reached, but not with TLS, and this application connects with %s%s."
                        .formatted(server, certificates, inBrackets());
            case UNTRUSTED_SERVER ->
                "The certificate of the server at \"%s\" is not trusted by %s%s."
                        .formatted(server, certificates, inBrackets());
            case OTHER_NAME ->
                "The certificate of the server at \"%s\" is for another host name%s.".formatted(server, inBrackets());
            case NO_CLIENT_CERTIFICATE ->
                "The server at \"%s\" requires a client certificate, and %s has none%s."
                        .formatted(server, certificates, inBrackets());
            case REFUSED_CLIENT ->
                "The server at \"%s\" refuses the client certificate of %s%s."
                        .formatted(server, certificates, inBrackets());
        };
    }

    /** What to do. */
    public String advice(String certificates) {
        return switch (kind) {
            case EXPECTED ->
                "Set \"elasticjob.registry.ssl.bundle\" to an SSL bundle that trusts the servers, or %s to their port without TLS (\"clientPort\")."
                        .formatted(CONNECT_STRING);
            case NOT_SPOKEN ->
                "Set %s to the servers' port with TLS (\"secureClientPort\"), or remove \"elasticjob.registry.ssl\"."
                        .formatted(CONNECT_STRING);
            case UNTRUSTED_SERVER ->
                "Add the authority that issued the server's certificate to the trust store of %s."
                        .formatted(certificates);
            case OTHER_NAME ->
                "Set %s to a name that is in the certificate, or issue one that has this name."
                        .formatted(CONNECT_STRING);
            case NO_CLIENT_CERTIFICATE ->
                "Add a key store with a certificate that the servers trust to %s.".formatted(certificates);
            case REFUSED_CLIENT ->
                "Check that the servers' trust store has the authority that issued the certificate in the key store of %s, and that it has not expired."
                        .formatted(certificates);
        };
    }

    private String inBrackets() {
        return detail.isBlank() ? "" : " (" + detail.strip() + ")";
    }
}
