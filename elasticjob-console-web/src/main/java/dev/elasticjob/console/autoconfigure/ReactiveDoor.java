package dev.elasticjob.console.autoconfigure;

import dev.elasticjob.console.autoconfigure.ConsoleAutoConfiguration.ServedConsole;
import dev.elasticjob.console.reactive.ConsoleRouter;
import java.util.Optional;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/** A route before those of the application, which might catch every path. */
@Configuration(proxyBeanMethods = false)
class ReactiveDoor {
    private static final int EARLY = -100;

    @Bean
    @Order(EARLY)
    RouterFunction<ServerResponse> elasticJobConsoleRouter(ServedConsole console) {
        if (console.handler().isEmpty()) {
            return request -> Mono.empty();
        }
        boolean secured = console.secured();
        return new ConsoleRouter(
                console.handler().get(),
                console.path(),
                principal -> secured ? SecurityOfHost.caller(principal) : Optional.empty(),
                exchange -> secured ? SecurityOfHost.InReactive.token(exchange) : Mono.empty());
    }
}
