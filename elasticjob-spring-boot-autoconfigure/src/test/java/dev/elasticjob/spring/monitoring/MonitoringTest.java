package dev.elasticjob.spring.monitoring;

import dev.elasticjob.testing.prometheus.MonitoringContract;
import java.io.IOException;

/** The dashboard and the alerts of applications with jobs. */
class MonitoringTest extends MonitoringContract {
    MonitoringTest() {
        super("alerts.yml", "alerts-test.yml", "grafana.json");
    }

    @Override
    protected String scraped() throws IOException {
        return ScrapedApplication.scrape();
    }
}
