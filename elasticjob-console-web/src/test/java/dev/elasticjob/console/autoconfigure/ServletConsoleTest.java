package dev.elasticjob.console.autoconfigure;

/** In Tomcat, below a context path. */
class ServletConsoleTest extends ConsoleContract {
    ServletConsoleTest() {
        super(
                "--server.port=0",
                "--server.servlet.context-path=/shop",
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
