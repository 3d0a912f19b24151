package dev.elasticjob.spring.trace;

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
