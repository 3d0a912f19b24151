package dev.elasticjob.spring.trace;

import org.junit.jupiter.api.Tag;

@Tag("proof")
class PostgresqlEventTraceIT extends ServerEventTraceContract {
    @Override
    TestDatabase start() {
        return TestDatabase.postgresql();
    }

    @Override
    String platform() {
        return "postgresql";
    }
}
