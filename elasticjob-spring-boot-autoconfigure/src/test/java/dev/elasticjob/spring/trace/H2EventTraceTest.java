package dev.elasticjob.spring.trace;

class H2EventTraceTest extends EventTraceContract {
    @Override
    TestDatabase start() {
        return TestDatabase.h2();
    }

    @Override
    String platform() {
        return "h2";
    }
}
