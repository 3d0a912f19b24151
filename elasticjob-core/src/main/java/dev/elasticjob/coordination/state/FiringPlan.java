package dev.elasticjob.coordination.state;

import java.time.Instant;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Why the firings of a job are opened: the field {@code firings} of its plan. A job whose plan lacks it opens none.
 *
 * @param listener whether the job has listeners that are called once per cluster
 * @param from firings up to this moment are not opened: instances may have claimed them before
 * @param followers the jobs that run after this one, by name, each with the moment from which firings count for it
 */
public record FiringPlan(boolean listener, Instant from, NavigableMap<String, Instant> followers) {
    public FiringPlan {
        followers = Collections.unmodifiableNavigableMap(new TreeMap<>(followers));
    }
}
