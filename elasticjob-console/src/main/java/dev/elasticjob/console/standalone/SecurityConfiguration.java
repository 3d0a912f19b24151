package dev.elasticjob.console.standalone;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.UsernamePasswordAuthenticationFilter;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.savedrequest.HttpSessionRequestCache;
import org.springframework.security.web.savedrequest.RequestCache;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** Who may sign in, and how. What a user may do then, the console itself checks. */
@Configuration(proxyBeanMethods = false)
class SecurityConfiguration {
    /** Of the pages for signing in and out; the console sets a stricter one of its own. */
    private static final String POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self';"
            + " base-uri 'none'; frame-ancestors 'none'";

    private static final String NOT_AUTHENTICATED =
            "{\"status\":401,\"code\":\"NOT_AUTHENTICATED\",\"title\":\"Unauthorized\",\"detail\":\"Sign in to the console, and"
                    + " load the page again\",\"violations\":[]}";

    /** No session begins, and no browser is asked for a password: programs send it unasked. */
    @Bean
    @Order(0)
    SecurityFilterChain consoleSecurityOfPrograms(
            HttpSecurity http, StandAloneProperties properties, SignInBrake brake, SignInLog log) throws Exception {
        var programs = new ProgramAccess(properties.path());
        return http.securityMatcher(programs)
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .csrf(AbstractHttpConfigurer::disable)
                .httpBasic(basic -> basic.authenticationEntryPoint((request, response, failure) -> {
                    log.failed(request, programs.nameIn(request), failure);
                    refuse(response);
                }))
                .addFilterBefore(SignInBrakeFilter.ofPrograms(brake, programs), BasicAuthenticationFilter.class)
                .build();
    }

    @Bean
    SecurityFilterChain consoleSecurity(
            HttpSecurity http,
            CheckedSettings settings,
            ObjectProvider<ClientRegistrationRepository> openId,
            SignInBrake brake,
            SignInLog log)
            throws Exception {
        StandAloneProperties properties = settings.properties();
        http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .requestCache(cache -> cache.requestCache(onlyThePage(properties.path())))
                .exceptionHandling(handling -> handling.defaultAuthenticationEntryPointFor(
                        (request, response, failure) -> refuse(response),
                        PathPatternRequestMatcher.pathPattern(properties.path() + "/api/**")))
                .headers(headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(POLICY)));
        if (!properties.users().isEmpty()) {
            http.formLogin(login -> login.withObjectPostProcessor(new SignInFailures(log::failed)));
            http.addFilterBefore(SignInBrakeFilter.ofForm(brake), UsernamePasswordAuthenticationFilter.class);
        }
        if (openId.getIfAvailable() != null) {
            var roles = new ClaimedRoles(properties.rolesClaim());
            http.oauth2Login(login -> login.userInfoEndpoint(user -> user.userAuthoritiesMapper(roles))
                    .withObjectPostProcessor(new SignInFailures(log::failedElsewhere)));
        }
        return http.build();
    }

    @Bean
    SignInBrake consoleSignInBrake(Connections connections) {
        return new SignInBrake(connections.timer()::nanoTime);
    }

    @Bean
    SignInLog consoleSignInLog(SignInBrake brake, StandAloneProperties properties) {
        return new SignInLog(brake, properties.users().keySet());
    }

    /** After signing in, a user gets back to the page, never to what the page had asked for. */
    private static RequestCache onlyThePage(String path) {
        var cache = new HttpSessionRequestCache();
        cache.setRequestMatcher(PathPatternRequestMatcher.pathPattern(HttpMethod.GET, path + "/"));
        return cache;
    }

    /** The page takes a redirect for the end of the session as well; programs don't. */
    private static void refuse(HttpServletResponse response) throws IOException {
        response.setStatus(HttpStatus.UNAUTHORIZED.value());
        response.setContentType("application/problem+json");
        response.getOutputStream().write(NOT_AUTHENTICATED.getBytes(StandardCharsets.UTF_8));
    }

    /** Also without users, so that Spring Boot doesn't make up one. */
    @Bean
    UserDetailsService consoleUsers(CheckedSettings settings) {
        List<UserDetails> users = settings.properties().users().entrySet().stream()
                .map(user -> User.withUsername(user.getKey())
                        .password(user.getValue().password())
                        .authorities(user.getValue().roles().toArray(String[]::new))
                        .build())
                .toList();
        return new InMemoryUserDetailsManager(users);
    }

    @Bean
    PasswordEncoder consolePasswords() {
        return EncodedPassword.encoder();
    }

    /** Relative, so that it is right behind a proxy that serves the console under another path. */
    @Bean
    RouterFunction<ServerResponse> consoleAtTheRoot(StandAloneProperties properties) {
        URI page = URI.create(properties.path().substring(1) + "/");
        return RouterFunctions.route()
                .GET(
                        "/",
                        request -> ServerResponse.status(HttpStatus.FOUND)
                                .location(page)
                                .build())
                .build();
    }
}
