package dev.elasticjob.console.reactive;

import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.ConsoleHandler;
import dev.elasticjob.console.web.ConsoleRequest;
import dev.elasticjob.console.web.ConsoleResponse;
import dev.elasticjob.console.web.CsrfToken;
import java.security.Principal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Passes requests to the console, and writes its responses, past the codecs and filters of handlers of the host. */
public final class ConsoleRouter implements RouterFunction<ServerResponse> {
    private final ConsoleHandler handler;
    private final String path;
    private final Function<Principal, Optional<Caller>> callers;
    private final Function<ServerWebExchange, Mono<CsrfToken>> csrf;

    /**
     * @param path of the console below the base path
     * @param callers the authenticated user whom a principal stands for
     * @param csrf the host's token
     */
    public ConsoleRouter(
            ConsoleHandler handler,
            String path,
            Function<Principal, Optional<Caller>> callers,
            Function<ServerWebExchange, Mono<CsrfToken>> csrf) {
        this.handler = handler;
        this.path = path;
        this.callers = callers;
        this.csrf = csrf;
    }

    @Override
    public Mono<HandlerFunction<ServerResponse>> route(ServerRequest request) {
        String within = request.requestPath().pathWithinApplication().value();
        boolean ours = within.equals(path) || within.startsWith(path + "/");
        return ours ? Mono.just(found -> answer(found, within.substring(path.length()))) : Mono.empty();
    }

    private Mono<ServerResponse> answer(ServerRequest request, String below) {
        Mono<Optional<Caller>> caller =
                request.exchange().getPrincipal().map(callers).defaultIfEmpty(Optional.empty());
        // Asking for the token may begin a session of the host.
        Mono<Optional<CsrfToken>> token = below.equals(ConsoleRequest.SESSION)
                ? csrf.apply(request.exchange()).map(Optional::of).defaultIfEmpty(Optional.empty())
                : Mono.just(Optional.empty());
        return Mono.zip(caller, token, body(request))
                .flatMap(all -> Mono.fromCompletionStage(
                        () -> handler.handle(console(request, below, all.getT1(), all.getT2(), all.getT3()))))
                .map(Written::new);
    }

    /** One that is too large is cut behind the first byte too many. */
    private static Mono<byte[]> body(ServerRequest request) {
        if (request.method().equals(HttpMethod.GET)) {
            return Mono.just(new byte[0]);
        }
        return DataBufferUtils.join(DataBufferUtils.takeUntilByteCount(
                        request.exchange().getRequest().getBody(), ConsoleRequest.MOST_BYTES + 1L))
                .map(joined -> {
                    byte[] bytes = new byte[joined.readableByteCount()];
                    joined.read(bytes);
                    DataBufferUtils.release(joined);
                    return bytes;
                })
                .defaultIfEmpty(new byte[0]);
    }

    private static ConsoleRequest console(
            ServerRequest request, String below, Optional<Caller> caller, Optional<CsrfToken> token, byte[] body) {
        Map<String, String> headers = new HashMap<>();
        for (String name : ConsoleRequest.HEADERS) {
            String value = request.headers().firstHeader(name);
            if (value != null) {
                headers.put(name, value);
            }
        }
        return new ConsoleRequest(
                request.method().name(),
                below,
                Optional.ofNullable(request.uri().getRawQuery()).orElse(""),
                headers,
                caller,
                body,
                () -> token);
    }

    /** Written as it is. */
    private record Written(ConsoleResponse response) implements ServerResponse {
        @Override
        public HttpStatusCode statusCode() {
            return HttpStatusCode.valueOf(response.status());
        }

        @Override
        public HttpHeaders headers() {
            var headers = new HttpHeaders();
            response.headers().forEach(headers::set);
            return headers;
        }

        @Override
        public MultiValueMap<String, ResponseCookie> cookies() {
            return new LinkedMultiValueMap<>();
        }

        @Override
        public Mono<Void> writeTo(ServerWebExchange exchange, Context context) {
            ServerHttpResponse to = exchange.getResponse();
            to.setStatusCode(statusCode());
            response.headers().forEach(to.getHeaders()::set);
            if (response.status() == 304) {
                return to.setComplete();
            }
            to.getHeaders().setContentLength(response.body().length);
            return to.writeWith(Mono.just(to.bufferFactory().wrap(response.body())));
        }
    }
}
