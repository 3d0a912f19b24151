package dev.elasticjob.console.autoconfigure;

import dev.elasticjob.console.autoconfigure.ConsoleAutoConfiguration.ServedConsole;
import dev.elasticjob.console.servlet.ConsoleServlet;
import java.util.Optional;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A servlet of its own, so that views, converters and advice of the application don't touch the console. */
@Configuration(proxyBeanMethods = false)
class ServletDoor {
    private static final String NAME = "elasticJobConsole";

    @Bean
    ServletContextInitializer elasticJobConsoleServlet(ServedConsole console) {
        return context -> {
            if (console.handler().isEmpty()) {
                return;
            }
            boolean secured = console.secured();
            var servlet = new ConsoleServlet(
                    console.handler().get(),
                    console.path(),
                    principal -> secured ? SecurityOfHost.caller(principal) : Optional.empty(),
                    request -> secured ? SecurityOfHost.InServlet.token(request) : Optional.empty());
            var registration = new ServletRegistrationBean<>(servlet, console.path() + "/*");
            registration.setName(NAME);
            registration.setAsyncSupported(true);
            registration.onStartup(context);
        };
    }
}
