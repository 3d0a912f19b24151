package dev.elasticjob.spring.trace;

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
