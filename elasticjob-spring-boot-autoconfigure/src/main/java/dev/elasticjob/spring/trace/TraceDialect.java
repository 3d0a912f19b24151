package dev.elasticjob.spring.trace;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.boot.jdbc.DatabaseDriver;

/** Where the supported databases differ: in how a row is inserted unless one with its key is there. */
enum TraceDialect {
    /** Its parameters are numbered: the key occurs twice. */
    H2("MERGE INTO %1$s USING DUAL ON %1$s.%4$s = ?1 WHEN NOT MATCHED THEN INSERT (%2$s) VALUES (%3$s)") {
        @Override
        String parameter(int number) {
            return "?" + number;
        }
    },
    POSTGRESQL("INSERT INTO %1$s (%2$s) VALUES (%3$s) ON CONFLICT (%4$s) DO NOTHING"),
    /** Also MariaDB. Not INSERT IGNORE, which ignores more than that. */
    MYSQL("INSERT INTO %1$s (%2$s) VALUES (%3$s) ON DUPLICATE KEY UPDATE %4$s = %1$s.%4$s");

    private final String insertIfAbsent;

    TraceDialect(String insertIfAbsent) {
        this.insertIfAbsent = insertIfAbsent;
    }

    /** @param productName as the driver names the database */
    static Optional<TraceDialect> of(String productName) {
        return switch (DatabaseDriver.fromProductName(productName)) {
            case H2 -> Optional.of(H2);
            case POSTGRESQL -> Optional.of(POSTGRESQL);
            case MYSQL, MARIADB -> Optional.of(MYSQL);
            default -> Optional.empty();
        };
    }

    /** Whether the count of a statement is 1 only if it has inserted a row. MySQL's drivers count rows that were found. */
    boolean saysWhatItInserted() {
        return this != MYSQL;
    }

    /** @param columns the key first */
    String insertIfAbsent(String table, List<String> columns) {
        String parameters = IntStream.rangeClosed(1, columns.size())
                .mapToObj(this::parameter)
                .collect(Collectors.joining(", "));
        return insertIfAbsent.formatted(table, String.join(", ", columns), parameters, columns.get(0));
    }

    String parameter(int number) {
        return "?";
    }
}
