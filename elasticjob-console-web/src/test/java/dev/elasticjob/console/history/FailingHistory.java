package dev.elasticjob.console.history;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/** Answers no question. */
public final class FailingHistory implements ConsoleHistory {
    private final Runnable failing;

    /** @param failing throws what each question fails with */
    public FailingHistory(Runnable failing) {
        this.failing = failing;
    }

    @Override
    public Firings firings(String job, Optional<String> before) {
        return fail();
    }

    @Override
    public SortedMap<String, List<Firings.End>> latest(SortedSet<String> jobs, int most) {
        return fail();
    }

    @Override
    public Executions executions(Executions.Filter filter) {
        return fail();
    }

    @Override
    public List<Executions.Step> steps(String id) {
        return fail();
    }

    @Override
    public Operations operations(Operations.Filter filter) {
        return fail();
    }

    @Override
    public Optional<Entry> entry(String id) {
        return fail();
    }

    private <T> T fail() {
        failing.run();
        throw new IllegalStateException("The history was meant to fail");
    }
}
