package dev.elasticjob.spring.alert;

import dev.elasticjob.spring.autoconfigure.ElasticJobProperties.Alerts;
import dev.elasticjob.time.SystemTaskTimer;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** Threads of the handlers, one for each: a webhook that hangs holds up no mail. Closed after the engine. */
final class AlertThreads implements DisposableBean {
    private static final int WAITING = 1_000;

    private final SystemTaskTimer timer = new SystemTaskTimer("elasticjob-alert-timer");
    private final List<ThreadPoolTaskExecutor> executors = new CopyOnWriteArrayList<>();
    private final int endSeconds;
    private final Clock clock;

    AlertThreads(Alerts alerts, Clock clock) {
        this.clock = clock;
        this.endSeconds = Math.max(1, (int) alerts.timeout().toSeconds());
    }

    AlertErrorHandler handler(String name, AlertChannel channel, Alerts alerts) {
        var executor = new ThreadPoolTaskExecutor();
        executor.setThreadNamePrefix("elasticjob-alert-" + name.toLowerCase(Locale.ROOT) + "-");
        executor.setCorePoolSize(1);
        executor.setMaxPoolSize(1);
        executor.setQueueCapacity(WAITING);
        executor.setDaemon(true);
        executor.setWaitForTasksToCompleteOnShutdown(true);
        executor.setAwaitTerminationSeconds(endSeconds);
        executor.initialize();
        executors.add(executor);
        return new AlertErrorHandler(
                name,
                channel,
                new AlertErrorHandler.AlertThread(executor.getThreadPoolExecutor(), timer),
                clock,
                alerts.interval());
    }

    @Override
    public void destroy() {
        timer.close();
        executors.forEach(ThreadPoolTaskExecutor::shutdown);
    }
}
