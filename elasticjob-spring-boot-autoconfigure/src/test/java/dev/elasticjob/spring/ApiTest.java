package dev.elasticjob.spring;

import dev.elasticjob.architecture.ApiPage;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A change of the API is a change of the text that was checked in. */
class ApiTest {
    @Test
    void theApiIsTheOneThatWasCheckedIn() throws IOException {
        ApiPage.assertSame("elasticjob-spring-boot-autoconfigure");
    }
}
