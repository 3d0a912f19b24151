package com.example.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.engine.ElasticJobEngine;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.context.ApplicationContext;

/** A slice of JPA, which has no jobs. */
@DataJpaTest
class BillsTest {
    @Test
    void billsAreCountedByItem(@Autowired Bills bills, @Autowired ApplicationContext context) {
        bills.save(new Bill(7));

        assertThat(bills.countByItem(7)).isEqualTo(1);
        assertThat(context.getBeanNamesForType(ElasticJobEngine.class)).isEmpty();
    }
}
