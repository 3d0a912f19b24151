package dev.elasticjob.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.test.ElasticJobTest;
import dev.elasticjob.spring.test.Jobs;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** The web server of the application, beside jobs that run when the test says so. */
@ElasticJobTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class EndpointTest {
    @Test
    void showsAFiringThatTheTestHasRun(Jobs jobs, @Value("${local.server.port}") int port) throws Exception {
        URI orders = URI.create("http://localhost:" + port + "/actuator/elasticjob/orders");
        HttpRequest question = HttpRequest.newBuilder(orders).build();

        String before = HttpClient.newHttpClient()
                .send(question, HttpResponse.BodyHandlers.ofString())
                .body();
        assertThat(jobs.fire("orders")).succeeded();
        HttpResponse<String> after = HttpClient.newHttpClient().send(question, HttpResponse.BodyHandlers.ofString());

        assertThat(before).doesNotContain("COMPLETED");
        assertThat(after.statusCode()).isEqualTo(200);
        assertThat(after.body()).contains("COMPLETED");
    }
}
