package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.text.NamePatterns;
import dev.elasticjob.definition.text.NameSelection;
import dev.elasticjob.definition.text.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Which jobs this instance runs, as the patterns of its properties say. Immutable. */
record WorkerJobs(ElasticJobProperties.Worker worker) {
    private static final String JOBS = "elasticjob.worker.jobs";
    private static final String EXCEPT = "elasticjob.worker.except";

    /** What can't be used, a line for each property. */
    List<String> problems() {
        return Stream.of(problem(JOBS, worker.jobs()), problem(EXCEPT, worker.except()))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<String> problem(String property, List<String> patterns) {
        try {
            NamePatterns.ofJobs(patterns);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("\"%s\" can't be used: %s.".formatted(property, e.getMessage()));
        }
    }

    /** All, if the patterns can't be used: then the application doesn't start. */
    NameSelection selection() {
        return problems().isEmpty() ? NameSelection.of(worker.jobs(), worker.except()) : NameSelection.ALL;
    }

    /**
     * Patterns that match none of the application's jobs, a line for each.
     *
     * @param declared the names of the application's jobs
     */
    List<String> idlePatterns(SortedSet<String> declared) {
        List<String> lines = new ArrayList<>();
        if (problems().isEmpty()) {
            lines.addAll(idle(JOBS, worker.jobs(), declared));
            lines.addAll(idle(EXCEPT, worker.except(), declared));
        }
        return lines;
    }

    private static List<String> idle(String property, List<String> patterns, SortedSet<String> declared) {
        return patterns.stream()
                .map(String::strip)
                .filter(pattern -> declared.stream().noneMatch(NamePatterns.ofJobs(List.of(pattern))::matches))
                .map(pattern ->
                        "\"%s\" contains \"%s\", which matches none of the jobs that this application declares.%s They are: %s"
                                .formatted(
                                        property,
                                        pattern,
                                        NearestName.question(pattern, declared),
                                        declared.isEmpty() ? "none" : String.join(", ", declared)))
                .toList();
    }

    /** Why an application with jobs can't start if it would run none of them. */
    String noneLeft(SortedSet<String> candidates) {
        String meant = worker.jobs().stream()
                .map(pattern -> NearestName.question(pattern.strip(), candidates))
                .filter(question -> !question.isEmpty())
                .findFirst()
                .orElse("");
        return "Of the application's jobs, none is left to run on this instance by %s. They are: %s.%s Let one of them match, or set \"elasticjob.worker.enabled\" to false for an instance that only submits."
                .formatted(properties(), String.join(", ", candidates), meant);
    }

    /** What runs here and what doesn't, in a line for the log. */
    String choice(SortedSet<String> candidates, SortedSet<String> chosen) {
        SortedSet<String> others = new TreeSet<>(candidates);
        others.removeAll(chosen);
        return "%d of %d jobs run here: %s. Left out by %s: %s"
                .formatted(
                        chosen.size(),
                        candidates.size(),
                        chosen.isEmpty() ? "none" : String.join(", ", chosen),
                        properties(),
                        String.join(", ", others));
    }

    private String properties() {
        String jobs = worker.jobs().isEmpty() ? "" : "\"%s\" (%s)".formatted(JOBS, String.join(", ", worker.jobs()));
        String except =
                worker.except().isEmpty() ? "" : "\"%s\" (%s)".formatted(EXCEPT, String.join(", ", worker.except()));
        return jobs.isEmpty() || except.isEmpty() ? jobs + except : jobs + " and " + except;
    }
}
