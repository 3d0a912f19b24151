package dev.elasticjob.samples.dataflow;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of payments. Safe for use by any thread. */
@Repository
class Payments {
    private final JdbcClient database;

    Payments(JdbcClient database) {
        this.database = database;
    }

    /** The next open payments of a share, in order of their ids. */
    List<Payment> open(Share share, long afterId, int atMost) {
        return database.sql("""
                        SELECT id, receiver, cents FROM payment
                        WHERE state = 'OPEN' AND MOD(id, :shares) = :share AND id > :after
                        ORDER BY id LIMIT :most
                        """)
                .param("shares", share.of())
                .param("share", share.number())
                .param("after", afterId)
                .param("most", atMost)
                .query(Payment.class)
                .list();
    }

    void sent(Payment payment) {
        database.sql("UPDATE payment SET state = 'SENT' WHERE id = :id")
                .param("id", payment.id())
                .update();
    }

    long countOpen() {
        return database.sql("SELECT COUNT(*) FROM payment WHERE state = 'OPEN'")
                .query(Long.class)
                .single();
    }

    /** Adds those of the first {@code total} payments that are missing. Several processes may call it at the same time. */
    void addMissing(int total) {
        for (long id = 1; id <= total; id++) {
            database.sql("""
                            INSERT INTO payment (id, receiver, cents, state)
                            SELECT :id, :receiver, :cents, 'OPEN'
                            WHERE NOT EXISTS (SELECT 1 FROM payment WHERE id = :id)
                            """)
                    .param("id", id)
                    .param("receiver", "receiver " + id)
                    .param("cents", id * 100)
                    .update();
        }
    }

    /** One of several equal parts of the table. */
    record Share(int number, int of) {}
}
