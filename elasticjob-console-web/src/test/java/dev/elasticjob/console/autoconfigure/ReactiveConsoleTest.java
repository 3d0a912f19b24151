package dev.elasticjob.console.autoconfigure;

/** In WebFlux, below a base path. */
class ReactiveConsoleTest extends ConsoleContract {
    ReactiveConsoleTest() {
        super(
                "--server.port=0",
                "--spring.main.web-application-type=reactive",
                "--spring.webflux.base-path=/shop",
                "--spring.security.user.name=mei",
                "--spring.security.user.password=mei-password",
                "--spring.security.user.roles=OPS",
                "--elasticjob.console.roles.operator=OPS",
                "--elasticjob.instance.ip=10.0.0.1",
                "--elasticjob.registry.namespace=shop");
    }

    @Override
    String prefix() {
        return "/shop";
    }
}
