package dev.elasticjob.console.standalone;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.authentication.www.BasicAuthenticationConverter;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/**
 * What programs may read with a user's password in each request (HTTP basic authentication): the demand, such as KEDA asks
 * for. Nothing else is answered so, and no command is taken. Thread-safe.
 */
final class ProgramAccess implements RequestMatcher {
    private static final String BASIC = "basic ";

    private final RequestMatcher demand;
    private final BasicAuthenticationConverter converter = new BasicAuthenticationConverter();

    /** @param path of the console */
    ProgramAccess(String path) {
        this.demand =
                PathPatternRequestMatcher.pathPattern(HttpMethod.GET, path + "/api/v1/registries/{registry}/demand");
    }

    @Override
    public boolean matches(HttpServletRequest request) {
        return isBasic(request.getHeader(HttpHeaders.AUTHORIZATION)) && demand.matches(request);
    }

    private static boolean isBasic(@Nullable String header) {
        return header != null && header.toLowerCase(Locale.ROOT).startsWith(BASIC);
    }

    /** The user that is named; empty if the header can't be read. */
    String nameIn(HttpServletRequest request) {
        try {
            Authentication named = converter.convert(request);
            return named == null ? "" : named.getName();
        } catch (AuthenticationException e) {
            return "";
        }
    }
}
