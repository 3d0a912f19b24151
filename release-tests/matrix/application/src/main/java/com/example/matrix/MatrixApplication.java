package com.example.matrix;

import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Runs both items of its job once, prints one line about each technology on its class path, and ends. The lines begin
 * with {@code fact:}.
 */
@SpringBootApplication
public class MatrixApplication {
    private static final int ITEMS = 2;
    private static final CountDownLatch RAN = new CountDownLatch(ITEMS);
    private static final Set<Integer> SEEN = ConcurrentHashMap.newKeySet();

    public static void main(String[] arguments) throws Exception {
        ConfigurableApplicationContext application = SpringApplication.run(MatrixApplication.class, arguments);
        String loader = Thread.currentThread().getContextClassLoader().getClass().getSimpleName();
        fact("items", RAN.await(60, TimeUnit.SECONDS) ? "ran" : "did not run");
        fact("devtools", loader.equals("RestartClassLoader") ? "restarts" : "absent");
        fact("meters", application.containsBean("simpleMeterRegistry") ? Meters.of(application) : "absent");
        fact("endpoint", application.containsBean("elasticJobEndpoint") ? "there" : "absent");
        String port = application.getEnvironment().getProperty("local.server.port");
        fact("anonymous", port == null ? "no web" : status(port, null));
        fact("user", port == null ? "no web" : status(port, "reader:secret"));
        String database = application.getEnvironment().getProperty("spring.datasource.url");
        int code = SpringApplication.exit(application);
        fact("trace", database == null ? "absent" : rows(database));
        fact("exit", String.valueOf(code));
        System.exit(code);
    }

    private static void fact(String name, String value) {
        System.out.println("fact: " + name + "=" + value);
    }

    private static String status(String port, String user) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/elasticjob/matrix"));
        if (user != null) {
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
        }
        return String.valueOf(HttpClient.newHttpClient()
                .send(request.build(), BodyHandlers.discarding())
                .statusCode());
    }

    /** The application has stopped, and with it everything that waited for the database has been written. */
    private static String rows(String database) throws Exception {
        try (var connection = DriverManager.getConnection(database, "sa", "");
                var statement = connection.createStatement();
                var result = statement.executeQuery("SELECT COUNT(*) FROM JOB_EXECUTION_LOG")) {
            result.next();
            return result.getInt(1) >= ITEMS ? "written" : "only " + result.getInt(1) + " rows";
        }
    }

    /** Loaded only where Micrometer is. */
    private static final class Meters {
        static String of(ConfigurableApplicationContext application) {
            var timers = application
                    .getBean(io.micrometer.core.instrument.MeterRegistry.class)
                    .find("elasticjob.executions")
                    .timers();
            return timers.isEmpty() ? "none" : "counted";
        }
    }

    @ElasticJob(name = "matrix", cron = "* * * * * ?", shardingTotalCount = ITEMS)
    static class MatrixJob implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {
            if (SEEN.add(context.getShardingItem())) {
                RAN.countDown();
            }
        }
    }
}
