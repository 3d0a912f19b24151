package dev.elasticjob.spring.trace;

import org.junit.jupiter.api.Tag;

@Tag("proof")
class MariaDbEventTraceIT extends ServerEventTraceContract {
    @Override
    TestDatabase start() {
        return TestDatabase.mariaDb();
    }

    @Override
    String platform() {
        return "mariadb";
    }
}
