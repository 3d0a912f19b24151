package dev.elasticjob.benchmarks;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Who contends, and with which jars. */
enum Side {
    OURS("dev.elasticjob.benchmarks.OurWorkload", () -> System.getProperty("java.class.path")),
    ELASTICJOB_LITE("dev.elasticjob.benchmarks.lite.LiteWorkload", () -> classPathOf("elasticjob-lite")),
    DB_SCHEDULER("dev.elasticjob.benchmarks.dbscheduler.DbSchedulerWorkload", () -> classPathOf("db-scheduler")),
    QUARTZ("dev.elasticjob.benchmarks.quartz.QuartzWorkload", () -> classPathOf("quartz")),
    SPRING_BOOT("dev.elasticjob.benchmarks.boot.SpringBootWorkload", () -> classPathOf("spring-boot")),
    PLAIN_SPRING_BOOT("dev.elasticjob.benchmarks.plain.PlainWorkload", () -> classPathOf("plain-spring-boot")),
    OBSERVED("dev.elasticjob.benchmarks.observability.ObservedWorkload", () -> classPathOf("observability")),
    BARE_ROWS("dev.elasticjob.benchmarks.observability.RowsWorkload", () -> classPathOf("observability"));

    private final String program;
    private final Supplier<String> classPath;

    Side(String program, Supplier<String> classPath) {
        this.program = program;
        this.classPath = classPath;
    }

    String program() {
        return program;
    }

    String classPath() {
        return classPath.get();
    }

    /** What the build of that module has written down. */
    private static String classPathOf(String module) {
        Path target = Path.of(System.getProperty("peers"), module, "target");
        try {
            String jars = Files.readString(target.resolve("peer.class-path")).strip();
            return target.resolve("classes") + File.pathSeparator + jars;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
