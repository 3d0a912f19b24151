package dev.elasticjob.samples.dynamicsharding;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of partitions: how far each one has been processed, and in which epoch. Safe for use by any thread. */
@Repository
class Partitions {
    private final JdbcClient database;

    Partitions(JdbcClient database) {
        this.database = database;
    }

    List<Integer> all() {
        return database.sql("SELECT id FROM task_partition ORDER BY id")
                .query(Integer.class)
                .list();
    }

    /**
     * Processes the next piece of a partition. A real application would do that with what it has read.
     *
     * @return false if an instance of a later epoch has written to the partition: then it isn't ours any more
     */
    boolean advance(int partition, long epoch) {
        return database.sql("""
                        UPDATE task_partition SET position = position + 1, epoch = :epoch
                        WHERE id = :id AND epoch <= :epoch
                        """).param("id", partition).param("epoch", epoch).update() == 1;
    }
}
