package dev.elasticjob.console.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.console.web.ConsoleResponse;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockAsyncContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** A request that waits for its answer while the browser may go away. */
class HeldRequestTest {
    private final MockHttpServletResponse response = new MockHttpServletResponse();
    private final LateContext context = new LateContext(response);
    private final CompletableFuture<ConsoleResponse> answer = new CompletableFuture<>();

    @Test
    void anAnswerIsWrittenOnceItIsThere() throws IOException {
        ConsoleServlet.writeLater(context, answer);

        answer.complete(ConsoleResponse.text(200, "hello"));
        context.runAll();

        assertThat(response.getContentAsString()).isEqualTo("hello");
        assertThat(context.completed).isEqualTo(1);
    }

    /** By then, the container may have given the response to another request. */
    @Test
    void nothingIsWrittenOnceTheContainerHasToldTheEnd() throws IOException {
        ConsoleServlet.writeLater(context, answer);

        answer.complete(ConsoleResponse.text(200, "hello"));
        for (AsyncListener listener : context.getListeners()) {
            listener.onError(new AsyncEvent(context, new IOException("the browser is gone")));
        }
        context.runAll();

        assertThat(response.getContentAsByteArray()).isEmpty();
        assertThat(response.isCommitted()).isFalse();
        assertThat(context.completed).isZero();
    }

    /** Starts what it is given when the test says so. */
    private static final class LateContext extends MockAsyncContext {
        private final List<Runnable> started = new ArrayList<>();
        private int completed;

        LateContext(MockHttpServletResponse response) {
            super(new MockHttpServletRequest(), response);
        }

        @Override
        public void start(Runnable runnable) {
            started.add(runnable);
        }

        @Override
        public void complete() {
            completed++;
        }

        void runAll() {
            started.forEach(Runnable::run);
        }
    }
}
