package dev.elasticjob.console.standalone;

import jakarta.servlet.http.HttpServletRequest;
import java.util.function.BiConsumer;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.authentication.AbstractAuthenticationProcessingFilter;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;
import org.springframework.security.web.authentication.SimpleUrlAuthenticationFailureHandler;

/**
 * Has failed sign-ins logged, also those that fail before the user is known. They end as they do without it: at the form,
 * which says so.
 *
 * @param log is called first
 */
record SignInFailures(BiConsumer<HttpServletRequest, AuthenticationException> log)
        implements ObjectPostProcessor<AbstractAuthenticationProcessingFilter> {
    private static final AuthenticationFailureHandler FORM = new SimpleUrlAuthenticationFailureHandler("/login?error");

    @Override
    public <O extends AbstractAuthenticationProcessingFilter> O postProcess(O filter) {
        filter.setAuthenticationFailureHandler((request, response, failure) -> {
            log.accept(request, failure);
            FORM.onAuthenticationFailure(request, response, failure);
        });
        return filter;
    }
}
