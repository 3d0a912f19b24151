package dev.elasticjob.engine;

import dev.elasticjob.coordination.view.Ownership;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one line of an engine that has started many jobs. */
final class StartedJobs {
    private static final Logger log = LoggerFactory.getLogger(ElasticJobEngine.class);
    private static final int MOST_NAMES = 20;

    private StartedJobs() {}

    /** Those of them that have joined. */
    static void tell(List<JobRuntime> started) {
        List<JobRuntime> joined =
                started.stream().filter(job -> job.ownership().isPresent()).toList();
        if (joined.isEmpty()) {
            return;
        }
        String names = joined.stream().limit(MOST_NAMES).map(StartedJobs::share).collect(Collectors.joining(", "));
        log.info(
                "{} of {} jobs have joined, {} of them led by this instance; items owned by this instance: {}{}",
                joined.size(),
                started.size(),
                joined.stream().filter(job -> job.coordination().isLeader()).count(),
                names,
                joined.size() > MOST_NAMES ? " and those of %d more".formatted(joined.size() - MOST_NAMES) : "");
    }

    private static String share(JobRuntime job) {
        Optional<Ownership> owned = job.ownership();
        return "\"%s\" %d of %d"
                .formatted(
                        job.name(),
                        owned.map(here -> here.items().size()).orElse(0),
                        owned.map(here -> here.assignment().total()).orElse(0));
    }
}
