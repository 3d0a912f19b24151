package dev.elasticjob.engine;

import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.job.event.JobEventListener;
import dev.elasticjob.testing.Heard;
import java.util.List;
import java.util.function.Predicate;

/** Remembers what engines told, and waits for more of it. Safe for use by any thread. */
final class EventLog implements JobEventListener {
    private final Heard<JobEvent> heard = new Heard<>();

    @Override
    public void onEvent(JobEvent event) {
        heard.add(event);
    }

    <E extends JobEvent> List<E> all(Class<E> kind) {
        return only(kind, heard.all());
    }

    /** Forgets what was told so far. */
    void clear() {
        heard.clear();
    }

    /** Waits until an event has been told. */
    <E extends JobEvent> E await(Class<E> kind, Predicate<E> wanted) {
        return awaitAll(kind, wanted, 1).get(0);
    }

    /** Waits until so many events have been told. */
    <E extends JobEvent> List<E> awaitAll(Class<E> kind, Predicate<E> wanted, int count) {
        awaitThat(
                count + " × " + kind.getSimpleName(),
                events -> only(kind, events).stream().filter(wanted).count() >= count);
        return all(kind).stream().filter(wanted).toList();
    }

    /** Waits until all that was told together is enough. */
    void awaitThat(String what, Predicate<List<JobEvent>> enough) {
        heard.await(what, enough);
    }

    static <E extends JobEvent> List<E> only(Class<E> kind, List<JobEvent> events) {
        return events.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
