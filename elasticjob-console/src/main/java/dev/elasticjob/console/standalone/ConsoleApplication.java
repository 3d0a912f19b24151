package dev.elasticjob.console.standalone;

import dev.elasticjob.spring.autoconfigure.ElasticJobAutoConfiguration;
import java.io.IOException;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/**
 * The console as an application of its own. It shows the registries of its configuration, and takes part in no job.
 *
 * <p>With the argument {@code encode-password}, it only reads a password and prints what to configure for it.
 */
@SpringBootApplication(
        proxyBeanMethods = false,
        // It runs no job, and its databases are those of the registries.
        exclude = {ElasticJobAutoConfiguration.class, DataSourceAutoConfiguration.class})
@EnableConfigurationProperties(StandAloneProperties.class)
public class ConsoleApplication {
    private static final String ENCODE = "encode-password";

    /** @param arguments {@code encode-password}, or properties such as {@code --server.port=8899} */
    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        if (List.of(arguments).contains(ENCODE)) {
            System.out.println(EncodedPassword.read(System.console(), System.in));
        } else {
            SpringApplication.run(ConsoleApplication.class, arguments);
        }
    }
}
