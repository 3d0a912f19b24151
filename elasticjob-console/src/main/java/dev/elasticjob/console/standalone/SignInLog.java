package dev.elasticjob.console.standalone;

import dev.elasticjob.time.DurationText;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.event.AuthenticationSuccessEvent;
import org.springframework.security.authentication.event.InteractiveAuthenticationSuccessEvent;
import org.springframework.security.authentication.event.LogoutSuccessEvent;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.authentication.WebAuthenticationDetails;

/**
 * A line in the log for each sign-in, failed sign-in and sign-out: who, and from where. Never with a password: what is no
 * name of a user isn't logged, because some people type their password there.
 */
final class SignInLog {
    private static final Logger log = LoggerFactory.getLogger(SignInLog.class);
    private static final int LONGEST_NAME = 100;

    private final SignInBrake brake;
    private final Set<String> users;

    /** @param users the names of those who sign in with a password */
    SignInLog(SignInBrake brake, Set<String> users) {
        this.brake = brake;
        this.users = users.stream().map(SignInLog::same).collect(Collectors.toUnmodifiableSet());
    }

    /** With a password, by the form or in a request. */
    @EventListener
    void succeeded(AuthenticationSuccessEvent event) {
        Authentication user = event.getAuthentication();
        if (user instanceof UsernamePasswordAuthenticationToken) {
            brake.succeeded(user.getName(), address(user));
        }
    }

    @EventListener
    void signedIn(InteractiveAuthenticationSuccessEvent event) {
        Authentication user = event.getAuthentication();
        log.info("\"{}\" has signed in from {}", shown(user.getName()), address(user));
    }

    @EventListener
    void signedOut(LogoutSuccessEvent event) {
        Authentication user = event.getAuthentication();
        log.info("\"{}\", signed in from {}, has signed out", shown(user.getName()), address(user));
    }

    /** By the form. */
    void failed(HttpServletRequest request, AuthenticationException failure) {
        failed(request, SignInBrakeFilter.nameIn(request), failure);
    }

    /** @param typed the name, or what was typed there */
    void failed(HttpServletRequest request, String typed, AuthenticationException failure) {
        String address = request.getRemoteAddr();
        log.warn(
                "A sign-in of {} from {} failed: {}{}",
                users.contains(same(typed)) ? "\"" + shown(typed.strip()) + "\"" : "an unknown user",
                address,
                failure instanceof BadCredentialsException ? "wrong user or password" : text(failure),
                brake.refusedFor(typed, address)
                        .map(wait -> ". Further attempts are refused for " + DurationText.of(wait))
                        .orElse(""));
    }

    /** By an identity provider. */
    void failedElsewhere(HttpServletRequest request, AuthenticationException failure) {
        log.warn("A sign-in by an identity provider from {} failed: {}", request.getRemoteAddr(), text(failure));
    }

    private static String text(AuthenticationException failure) {
        return shown(String.valueOf(failure.getMessage()));
    }

    /** Spring Security finds a user by a name in capitals as well. */
    private static String same(String name) {
        return name.strip().toLowerCase(Locale.ROOT);
    }

    /** Of the sign-in. */
    private static String address(Authentication user) {
        return user.getDetails() instanceof WebAuthenticationDetails details
                ? details.getRemoteAddress()
                : "an unknown address";
    }

    /** Anything may be typed as a name. */
    private static String shown(String text) {
        String line = text.replaceAll("\\p{Cntrl}+", " ");
        return line.length() > LONGEST_NAME ? line.substring(0, LONGEST_NAME) + "…" : line;
    }
}
