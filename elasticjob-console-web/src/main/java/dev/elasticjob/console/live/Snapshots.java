package dev.elasticjob.console.live;

import dev.elasticjob.time.TaskTimer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The latest answers to the questions of all viewers of one registry or database. A question is read at most once in its pace, however
 * many ask it, and not at all when nobody does. A viewer that knows the present answer may wait for another one.
 *
 * <p>Thread-safe; doesn't block.
 */
public final class Snapshots {
    private static final Duration FORGOTTEN = Duration.ofSeconds(60);

    /** Whoever asks for ever new searches doesn't fill the memory. */
    static final int MOST_QUESTIONS = 256;

    /** What has just failed is left alone for so long; meanwhile the answer is the same failure. */
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final TaskTimer timer;
    private final Clock clock;
    private final Queries queries;
    private final Function<Object, byte[]> toJson;
    private final int mostHeld;
    /** Guarded by this object, as is everything in it. */
    private final Map<String, Shared> questions = new HashMap<>();

    private int held;

    /** How often something was changed by this console. */
    private long changes;

    /**
     * @param toJson the same bytes for equal answers
     * @param held how many viewers may wait for a change; further ones are answered at once
     */
    public Snapshots(Queries queries, Clock clock, Function<Object, byte[]> toJson, int held) {
        this.queries = queries;
        this.timer = queries.timer();
        this.clock = clock;
        this.toJson = toJson;
        this.mostHeld = held;
    }

    /** A question, its last answer, and those who wait for one. */
    private static final class Shared {
        private Question question;
        private @Nullable Snapshot last;
        /** Of the last answer; before the first one, of the first question. */
        private long readAtNanos;

        private @Nullable Throwable failure;
        private long failedAtNanos;
        private boolean reading;
        private boolean scheduled;
        /** How many changes there had been when the read began that gave the last answer. */
        private long asOf;

        /** The same of the read that is under way. */
        private long readingAsOf;

        private final List<Viewer> viewers = new ArrayList<>();

        Shared(Question question, long nowNanos) {
            this.question = question;
            this.readAtNanos = nowNanos;
        }
    }

    /** @param after how many changes there had been when it asked: it gets no answer from before them */
    private record Viewer(
            Optional<String> known, long untilNanos, boolean holds, long after, CompletableFuture<Snapshot> answer) {}

    /**
     * Answers a question.
     *
     * @param known the tag of the answer that the viewer has
     * @param wait how long to wait for another answer than that; not at all if it is zero
     * @return the answer, which has the known tag if there is no other. The stage fails as the read does, and with {@link
     *     Queries.Source#unanswered} if there is no answer in time, or too many other questions wait for one
     */
    public CompletionStage<Snapshot> ask(Question question, Optional<String> known, Duration wait) {
        Viewer viewer;
        Shared shared;
        synchronized (this) {
            forgetOthers();
            if (!questions.containsKey(question.key()) && questions.size() >= MOST_QUESTIONS && !forgetOldest()) {
                return CompletableFuture.failedFuture(queries.source()
                        .unanswered(
                                "%s has not answered %d other questions yet; try again later"
                                        .formatted(queries.source().name(), questions.size()),
                                Optional.empty()));
            }
            shared = questions.computeIfAbsent(question.key(), key -> new Shared(question, timer.nanoTime()));
            shared.question = question;
            boolean holds = known.isPresent() && wait.toNanos() > 0 && held < mostHeld;
            Snapshot last = shared.last;
            if (last != null && isFresh(shared) && !(holds && known.get().equals(last.tag()))) {
                return CompletableFuture.completedFuture(last);
            }
            Throwable failure = shared.failure;
            if (failure != null && !shared.reading && timer.nanoTime() - shared.failedAtNanos < AGAIN.toNanos()) {
                return CompletableFuture.failedFuture(failure);
            }
            held += holds ? 1 : 0;
            long until = timer.nanoTime() + (holds ? wait.toNanos() : 0);
            viewer = new Viewer(known, until, holds, changes, new CompletableFuture<>());
            shared.viewers.add(viewer);
        }
        readWhenDue(shared);
        return viewer.answer();
    }

    /**
     * Something was changed: who asks from now on gets nothing that was read before, and so sees what he has done himself.
     */
    public synchronized void changed() {
        changes++;
    }

    /** The time by which answers are dated. */
    public Instant now() {
        return clock.instant();
    }

    /** How long ago this was read. */
    public Duration age(Snapshot snapshot) {
        return Duration.between(snapshot.readAt(), clock.instant());
    }

    private boolean isFresh(Shared shared) {
        return shared.last != null
                && shared.asOf == changes
                && timer.nanoTime() - shared.readAtNanos
                        < shared.question.pace().toNanos();
    }

    private void readWhenDue(Shared shared) {
        Duration rest;
        synchronized (this) {
            long left =
                    isFresh(shared) ? shared.question.pace().toNanos() - (timer.nanoTime() - shared.readAtNanos) : 0;
            if (shared.reading || (shared.scheduled && left > 0) || shared.viewers.isEmpty()) {
                return;
            }
            rest = Duration.ofNanos(left);
            shared.reading = rest.isZero();
            shared.scheduled = !shared.reading;
            shared.readingAsOf = changes;
        }
        if (rest.isZero()) {
            read(shared);
        } else {
            timer.after(rest, () -> {
                synchronized (this) {
                    shared.scheduled = false;
                }
                readWhenDue(shared);
            });
        }
    }

    private void read(Shared shared) {
        queries.ask(() -> shared.question.read().get().thenApply(Optional::of), found -> snapshot(found.orElseThrow()))
                .whenComplete((snapshot, failure) -> ended(shared, snapshot, failure));
    }

    private Snapshot snapshot(Object read) {
        byte[] json = toJson.apply(read);
        return new Snapshot(tag(json), json, clock.instant());
    }

    private void ended(Shared shared, @Nullable Snapshot snapshot, @Nullable Throwable failure) {
        List<Viewer> answered = new ArrayList<>();
        synchronized (this) {
            shared.reading = false;
            shared.failure = failure;
            if (snapshot != null) {
                shared.last = snapshot;
                shared.asOf = shared.readingAsOf;
                shared.readAtNanos = timer.nanoTime();
            } else {
                shared.failedAtNanos = timer.nanoTime();
            }
            for (Iterator<Viewer> viewers = shared.viewers.iterator(); viewers.hasNext(); ) {
                Viewer viewer = viewers.next();
                if (snapshot == null || (viewer.after() <= shared.asOf && isAnswered(viewer, snapshot))) {
                    viewers.remove();
                    answered.add(viewer);
                    held -= viewer.holds() ? 1 : 0;
                }
            }
        }
        for (Viewer viewer : answered) {
            if (snapshot == null) {
                viewer.answer().completeExceptionally(failure == null ? new IllegalStateException() : failure);
            } else {
                viewer.answer().complete(snapshot);
            }
        }
        readWhenDue(shared);
    }

    private boolean isAnswered(Viewer viewer, Snapshot snapshot) {
        return viewer.known().filter(snapshot.tag()::equals).isEmpty() || timer.nanoTime() >= viewer.untilNanos();
    }

    private void forgetOthers() {
        long now = timer.nanoTime();
        questions
                .values()
                .removeIf(shared -> isIdle(shared)
                        && now - shared.readAtNanos
                                > FORGOTTEN.toNanos() + shared.question.pace().toNanos());
    }

    /** Returns whether there was one that nobody waits for. */
    private boolean forgetOldest() {
        long now = timer.nanoTime();
        Optional<Shared> oldest = questions.values().stream()
                .filter(Snapshots::isIdle)
                .min(Comparator.comparingLong(shared -> shared.readAtNanos - now));
        oldest.ifPresent(shared -> questions.remove(shared.question.key()));
        return oldest.isPresent();
    }

    private static boolean isIdle(Shared shared) {
        return shared.viewers.isEmpty() && !shared.reading;
    }

    private static String tag(byte[] json) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(json);
            return HexFormat.of().formatHex(digest, 0, 12);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
