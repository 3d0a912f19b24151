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
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.web.filter.OncePerRequestFilter;

/** Answers attempts to sign in that the brake refuses, before anything looks at the password. Thread-safe. */
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

    private final SignInBrake brake;

    SignInBrakeFilter(SignInBrake brake) {
        this.brake = brake;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !SIGN_IN.matches(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Optional<Duration> wait = brake.begin(nameIn(request), request.getRemoteAddr());
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
    private static void refuse(HttpServletResponse response, Duration wait) throws IOException {
        Duration whole = Duration.ofSeconds(wait.plusSeconds(1).minusNanos(1).toSeconds());
        response.setStatus(HttpStatus.TOO_MANY_REQUESTS.value());
        response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(whole.toSeconds()));
        response.setContentType("text/html;charset=UTF-8");
        response.getOutputStream().write(PAGE.formatted(DurationText.of(whole)).getBytes(StandardCharsets.UTF_8));
    }
}
