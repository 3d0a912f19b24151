package dev.elasticjob.job;

/** The response to an HTTP job's request had a status other than success. */
public final class HttpJobFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String answer;

    /** @param answer the head of the response's body; bounded by the caller */
    public HttpJobFailedException(String request, int status, String answer) {
        super("\"%s\" responded with status %d%s; %s"
                .formatted(
                        request,
                        status,
                        status < 400 ? " (a redirect is not followed: set http.uri to where it leads)" : "",
                        answer.isEmpty() ? "the response has no text" : "the response begins: " + answer));
        this.status = status;
        this.answer = answer;
    }

    public int status() {
        return status;
    }

    /** The head of the response's body; empty when there was none. */
    public String answer() {
        return answer;
    }
}
