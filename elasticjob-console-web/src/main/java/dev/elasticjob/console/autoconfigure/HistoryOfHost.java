package dev.elasticjob.console.autoconfigure;

import dev.elasticjob.console.history.ConsoleHistory;
import dev.elasticjob.console.history.Entry;
import dev.elasticjob.console.history.Firings;
import dev.elasticjob.console.history.HistoryAwayException;
import dev.elasticjob.spring.history.HistoryCursor;
import dev.elasticjob.spring.history.HistoryUnavailableException;
import dev.elasticjob.spring.history.JobHistory;
import dev.elasticjob.spring.history.RunGrid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The history that the application's event trace has recorded, if it has one. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JobHistory.class)
class HistoryOfHost {
    @Bean
    @ConditionalOnBean(JobHistory.class)
    @ConditionalOnMissingBean(ConsoleHistory.class)
    ConsoleHistory elasticJobConsoleHistory(JobHistory history) {
        return new Traced(history);
    }

    private record Traced(JobHistory history) implements ConsoleHistory {
        @Override
        public Firings firings(String job, Optional<String> before) {
            Optional<HistoryCursor> from = before.map(HistoryCursor::parse);
            RunGrid grid = ask(() -> history.runs(job, MOST_FIRINGS, from));
            return new Firings(
                    grid.runs().stream().map(Traced::firing).toList(),
                    grid.next().map(HistoryCursor::text));
        }

        private static Firings.Firing firing(RunGrid.Run run) {
            Map<Integer, Firings.Cell> items = new TreeMap<>();
            run.cells().forEach((item, cells) -> items.put(item, cell(cells)));
            return new Firings.Firing(run.runId(), run.scheduledTime(), items);
        }

        private static Firings.Cell cell(List<RunGrid.Cell> cells) {
            RunGrid.Cell last = cells.get(cells.size() - 1);
            return new Firings.Cell(
                    last.id(),
                    last.outcome().name(),
                    cells.size(),
                    last.instance(),
                    last.startTime(),
                    last.completeTime());
        }

        @Override
        public Optional<Entry> entry(String id) {
            return ask(() -> history.execution(id))
                    .map(found -> new Entry(
                            found.id(),
                            found.jobName(),
                            found.item(),
                            found.runId(),
                            found.scheduledTime(),
                            found.outcome().name(),
                            found.attempt(),
                            found.retries(),
                            found.missedFirings(),
                            found.actor(),
                            found.instance(),
                            found.startTime(),
                            found.completeTime(),
                            found.failure()));
        }

        private static <T> T ask(Supplier<T> question) {
            try {
                return question.get();
            } catch (HistoryUnavailableException e) {
                throw new HistoryAwayException(String.valueOf(e.getMessage()), e);
            }
        }
    }
}
