package dev.elasticjob.console.autoconfigure;

import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.CsrfToken;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** What the host's Spring Security knows of a request. Used only where its classes exist. */
final class SecurityOfHost {
    private SecurityOfHost() {}

    static Optional<Caller> caller(Principal principal) {
        return principal instanceof Authentication user
                        && user.isAuthenticated()
                        && !(user instanceof AnonymousAuthenticationToken)
                ? Optional.of(new Caller(
                        user.getName(),
                        user.getAuthorities().stream()
                                .map(GrantedAuthority::getAuthority)
                                .filter(authority -> authority != null)
                                .collect(Collectors.toSet())))
                : Optional.empty();
    }

    /** In a servlet application. Reading the token may begin a session. */
    static final class InServlet {
        private InServlet() {}

        static Optional<CsrfToken> token(HttpServletRequest request) {
            Object token = request.getAttribute(org.springframework.security.web.csrf.CsrfToken.class.getName());
            return token instanceof org.springframework.security.web.csrf.CsrfToken present
                    ? Optional.of(new CsrfToken(present.getHeaderName(), present.getToken()))
                    : Optional.empty();
        }
    }

    /** In a reactive application. */
    static final class InReactive {
        private InReactive() {}

        static Mono<CsrfToken> token(ServerWebExchange exchange) {
            Object token =
                    exchange.getAttribute(org.springframework.security.web.server.csrf.CsrfToken.class.getName());
            return token instanceof Mono<?> present
                    ? present.cast(org.springframework.security.web.server.csrf.CsrfToken.class)
                            .map(found -> new CsrfToken(found.getHeaderName(), found.getToken()))
                    : Mono.empty();
        }
    }
}
