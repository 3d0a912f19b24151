package dev.elasticjob.console.servlet;

import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleHandler;
import dev.elasticjob.console.web.ConsoleRequest;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.CsrfToken;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes requests to the console, and writes its responses. A request that has to wait for the registry gives its thread
 * back, unless a filter of the host rules that out.
 */
public final class ConsoleServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger log = LoggerFactory.getLogger(ConsoleServlet.class);
    private static final byte[] NOTHING = {};
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final transient ConsoleHandler handler;
    private final String path;
    private final transient Function<Principal, Optional<Caller>> callers;
    private final transient Function<HttpServletRequest, Optional<CsrfToken>> csrf;

    /**
     * @param path of the console below the context path
     * @param callers the authenticated user whom a principal stands for
     * @param csrf the host's token
     */
    public ConsoleServlet(
            ConsoleHandler handler,
            String path,
            Function<Principal, Optional<Caller>> callers,
            Function<HttpServletRequest, Optional<CsrfToken>> csrf) {
        this.handler = handler;
        this.path = path;
        this.callers = callers;
        this.csrf = csrf;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String uri = request.getRequestURI().substring(request.getContextPath().length());
        if (!uri.startsWith(path)) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        boolean mayWait = request.isAsyncSupported();
        ConsoleRequest asked = console(request, uri, mayWait);
        CompletableFuture<ConsoleResponse> answer = handler.handle(asked).toCompletableFuture();
        if (answer.isDone()) {
            write(response, answer.join());
        } else if (mayWait) {
            writeLater(request.startAsync(), answer);
        } else {
            write(response, awaited(asked, answer));
        }
    }

    private ConsoleRequest console(HttpServletRequest request, String uri, boolean mayWait) throws IOException {
        Map<String, String> headers = new HashMap<>();
        for (String name : ConsoleRequest.HEADERS) {
            String value = request.getHeader(name);
            if (value != null && (mayWait || !name.equals("prefer"))) {
                headers.put(name, value);
            }
        }
        return new ConsoleRequest(
                request.getMethod(),
                uri.substring(path.length()),
                Optional.ofNullable(request.getQueryString()).orElse(""),
                headers,
                Optional.ofNullable(request.getUserPrincipal()).flatMap(callers),
                body(request),
                () -> csrf.apply(request));
    }

    private static byte[] body(HttpServletRequest request) throws IOException {
        return request.getMethod().equals("GET")
                ? NOTHING
                : request.getInputStream().readNBytes(ConsoleRequest.MOST_BYTES + 1);
    }

    static void writeLater(AsyncContext async, CompletableFuture<ConsoleResponse> answer) {
        async.setTimeout(LONGEST.toMillis());
        Held held = new Held(answer);
        async.addListener(held);
        // The answer comes on a thread of the registry or the console, which must not wait for the browser.
        answer.thenAccept(response -> async.start(() -> held.write(async, response)))
                .exceptionally(gone -> {
                    log.debug("The request has ended before its answer", gone);
                    return null;
                });
    }

    /** With a filter that doesn't support asynchronous requests, nothing else is possible. The wait has an end. */
    private static ConsoleResponse awaited(ConsoleRequest asked, CompletableFuture<ConsoleResponse> answer) {
        try {
            return answer.get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return ConsoleHandler.unanswered(asked, "The console did not answer in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ConsoleHandler.unanswered(asked, "The console was interrupted");
        }
    }

    private static void write(HttpServletResponse to, ConsoleResponse response) throws IOException {
        to.setStatus(response.status());
        response.headers().forEach(to::setHeader);
        if (response.status() != HttpServletResponse.SC_NOT_MODIFIED) {
            to.setContentLength(response.body().length);
            to.getOutputStream().write(response.body());
        }
        to.flushBuffer();
    }

    /**
     * A request that waits for its answer. Once the container has told its end, because the browser is gone, its objects may
     * serve another request: so it is either written to, or at its end, never both.
     */
    private static final class Held implements AsyncListener {
        private final CompletableFuture<ConsoleResponse> answer;
        private boolean ended;

        Held(CompletableFuture<ConsoleResponse> answer) {
            this.answer = answer;
        }

        synchronized void write(AsyncContext async, ConsoleResponse response) {
            if (ended) {
                return;
            }
            try {
                ConsoleServlet.write((HttpServletResponse) async.getResponse(), response);
            } catch (IOException e) {
                log.debug("The browser did not take the answer", e);
            } finally {
                complete(async);
            }
        }

        /** The container may have found out by itself that the browser is gone. */
        private static void complete(AsyncContext async) {
            try {
                async.complete();
            } catch (IllegalStateException e) {
                log.debug("The container has ended the request", e);
            }
        }

        private synchronized void end() {
            ended = true;
            answer.cancel(false);
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            end();
            event.getAsyncContext().complete();
        }

        @Override
        public void onError(AsyncEvent event) {
            end();
        }

        @Override
        public void onComplete(AsyncEvent event) {
            end();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // Only this servlet starts it.
        }
    }
}
