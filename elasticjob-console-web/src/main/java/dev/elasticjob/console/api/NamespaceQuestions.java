package dev.elasticjob.console.api;

import dev.elasticjob.admin.Attention.Finding;
import dev.elasticjob.admin.JobPage;
import dev.elasticjob.admin.JobStatus;
import dev.elasticjob.console.live.Sweep;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Answers about all jobs of a namespace, from what a sweep has read until now. Pure. */
final class NamespaceQuestions {
    /** The most findings of one answer; the worst come first. */
    static final int MOST_FINDINGS = 500;

    private NamespaceQuestions() {}

    static Bodies.Attention attention(Sweep.State state) {
        List<Finding> findings = state.jobs().stream()
                .flatMap(job -> job.findings().stream())
                .sorted(Finding.WORST_FIRST)
                .toList();
        return new Bodies.Attention(findings.stream().limit(MOST_FINDINGS).toList(), findings.size(), swept(state));
    }

    /** A page of those jobs that have a state. */
    static Bodies.Jobs jobs(Sweep.State state, String search, JobStatus status, String after) {
        String part = search.toLowerCase(Locale.ROOT);
        List<Bodies.Job> found = state.jobs().stream()
                .filter(swept -> swept.job().status() == status
                        && swept.job().name().toLowerCase(Locale.ROOT).contains(part))
                .map(swept -> Bodies.Job.of(swept.job()))
                .toList();
        List<Bodies.Job> rest =
                found.stream().filter(job -> job.name().compareTo(after) > 0).toList();
        List<Bodies.Job> page = rest.stream().limit(JobPage.SIZE).toList();
        Optional<String> next = rest.size() > page.size()
                ? Optional.of(page.get(page.size() - 1).name())
                : Optional.empty();
        return new Bodies.Jobs(page, found.size(), next, Optional.of(swept(state)));
    }

    private static Bodies.Swept swept(Sweep.State state) {
        return new Bodies.Swept(state.jobs().size(), state.names(), state.complete(), state.oldest());
    }
}
