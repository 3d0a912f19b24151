package dev.elasticjob.samples.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.job.JobEvent;
import dev.elasticjob.job.JobEvent.ItemFinished;
import dev.elasticjob.job.JobEventListener;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;

@SpringBootTest
@ExtendWith(OutputCaptureExtension.class)
class ScriptIT {
    private static final int ITEMS = 2;

    @Test
    void theScriptRunsForEachItemAndItsOutputIsInTheLog(CapturedOutput output, @Autowired Finished finished)
            throws Exception {
        assertThat(finished.all().get(60, TimeUnit.SECONDS))
                .allSatisfy((item, end) -> assertThat(end.failure()).isEmpty());
        assertThat(output)
                .contains("item 0: cleaning up Berlin, item 0 of 2")
                .contains("item 1: cleaning up Hamburg, item 1 of 2")
                .contains("\"shardingParameter\":\"Berlin\"");
    }

    /** The first end of each item. */
    static final class Finished implements JobEventListener {
        private final Map<Integer, ItemFinished> ends = new ConcurrentHashMap<>();
        private final CompletableFuture<Map<Integer, ItemFinished>> all = new CompletableFuture<>();

        @Override
        public void onEvent(JobEvent event) {
            if (event instanceof ItemFinished end
                    && ends.putIfAbsent(end.item(), end) == null
                    && ends.size() == ITEMS) {
                all.complete(ends);
            }
        }

        CompletableFuture<Map<Integer, ItemFinished>> all() {
            return all;
        }
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Listening {
        @Bean
        Finished finished() {
            return new Finished();
        }
    }
}
