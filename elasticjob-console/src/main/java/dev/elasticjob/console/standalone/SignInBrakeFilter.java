package dev.elasticjob.console.standalone;

import dev.elasticjob.time.DurationText;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers attempts to sign in that the brake refuses, before anything looks at the password: those of people at the form, or
 * those of programs. Thread-safe.
 */
final class SignInBrakeFilter extends OncePerRequestFilter {
    private static final PathPatternRequestMatcher SIGN_IN =
            PathPatternRequestMatcher.pathPattern(HttpMethod.POST, "/login");

    /** Without the name that was tried: nothing of the request stands in the page. */
    private static final String PAGE = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Too many wrong passwords</title>
            <meta name="viewport" content="width=device-width, initial-scale=1"></head>
            <body><main><h1>Too many wrong passwords</h1>
            <p>There were too many wrong passwords for this user or from this address. Nobody can sign in so for the next %1$s, \
            also with the right password. <a href="login">Sign in</a> after that.</p>
            <p lang="zh-CN">该用户或该地址输入错误密码的次数过多。接下来的 %1$s 内即使密码正确也无法登录，之后请<a href="login">重新登录</a>。</p>
            </main></body></html>
            """;

    private static final String PROBLEM =
            "{\"status\":429,\"code\":\"TOO_MANY_ATTEMPTS\",\"title\":\"Too Many Requests\",\"detail\":\"There were too many wrong"
                    + " passwords for this user or from this address. Try again in %1$s\",\"violations\":[]}";

    private final SignInBrake brake;
    private final RequestMatcher attempts;
    private final Function<HttpServletRequest, String> name;
    private final String contentType;
    private final String refusal;

    private SignInBrakeFilter(
            SignInBrake brake,
            RequestMatcher attempts,
            Function<HttpServletRequest, String> name,
            String contentType,
            String refusal) {
        this.brake = brake;
        this.attempts = attempts;
        this.name = name;
        this.contentType = contentType;
        this.refusal = refusal;
    }

    static SignInBrakeFilter ofForm(SignInBrake brake) {
        return new SignInBrakeFilter(brake, SIGN_IN, SignInBrakeFilter::nameIn, "text/html;charset=UTF-8", PAGE);
    }

    static SignInBrakeFilter ofPrograms(SignInBrake brake, ProgramAccess programs) {
        return new SignInBrakeFilter(brake, programs, programs::nameIn, "application/problem+json", PROBLEM);
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !attempts.matches(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Duration> wait = brake.begin(name.apply(request), request.getRemoteAddr());
        if (wait.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        refuse(response, wait.get());
    }

    static String nameIn(HttpServletRequest request) {
        return Optional.ofNullable(
                        request.getParameter(UsernamePasswordAuthenticationFilter.SPRING_SECURITY_FORM_USERNAME_KEY))
                .orElse("");
    }

    /** In whole seconds, rounded up. */
    private void refuse(HttpServletResponse response, Duration wait) throws IOException {
        Duration whole = Duration.ofSeconds(wait.plusSeconds(1).minusNanos(1).toSeconds());
        response.setStatus(HttpStatus.TOO_MANY_REQUESTS.value());
        response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(whole.toSeconds()));
        response.setContentType(contentType);
        response.getOutputStream()
                .write(refusal.formatted(DurationText.of(whole)).getBytes(StandardCharsets.UTF_8));
    }
}
