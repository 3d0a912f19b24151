package dev.elasticjob.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {"elasticjob.worker.enabled=true", "elasticjob.registry.embedded.port=0"})
class QuickstartIT {
    @LocalServerPort
    private int port;

    @Test
    void endpointShowsTheJob() throws Exception {
        HttpResponse<String> jobs = get("/actuator/elasticjob");
        HttpResponse<String> orders = get("/actuator/elasticjob/orders");

        assertThat(jobs.statusCode()).isEqualTo(200);
        assertThat(jobs.body()).startsWith("{\"jobs\":[{\"name\":\"orders\"");
        assertThat(orders.statusCode()).isEqualTo(200);
        assertThat(orders.body()).contains("\"items\":[");
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create("http://localhost:" + port + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
