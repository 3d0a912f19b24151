package dev.elasticjob.simulation;

import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/**
 * A thread of the world that runs only while the world waits for it, so that user code may block in virtual time. An
 * interruption is noted and nothing else: the world decides when the thread goes on. It does one task after the other: most
 * are so short that to make a thread for each took a fifth of the time.
 */
final class BodyThread extends Thread {
    private final Pool pool;
    private Runnable task;
    private final Semaphore mayGo = new Semaphore(0);
    private final Semaphore hasStopped = new Semaphore(0);
    private boolean heedsInterruption;
    private boolean interrupted;
    private boolean ready = true;
    private int waits;
    private boolean abandoned;
    private boolean over;
    private boolean gone;

    private BodyThread(Pool pool, Runnable task) {
        super("body");
        this.pool = pool;
        this.task = task;
        setDaemon(true);
    }

    /** The end of a thread whose process is gone. */
    private static final class Abandoned extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** The threads of one process; each step lets one of them go on until it blocks or ends. */
    static final class Pool implements Executor, Steps.Source {
        private final TaskTimer timer;
        private final Deque<BodyThread> ready = new ArrayDeque<>();
        private final List<BodyThread> all = new ArrayList<>();
        private final Deque<BodyThread> idle = new ArrayDeque<>();

        Pool(TaskTimer timer) {
            this.timer = timer;
        }

        @Override
        public void execute(Runnable task) {
            BodyThread thread = idle.poll();
            if (thread == null) {
                thread = new BodyThread(this, task);
                all.add(thread);
                thread.start();
            } else {
                thread.begin(task);
            }
            ready.add(thread);
        }

        @Override
        public boolean isReady() {
            return !ready.isEmpty();
        }

        @Override
        public void step() {
            BodyThread next = ready.remove();
            next.ready = false;
            next.goOn();
        }

        /** Lets every thread end, wherever it stands. */
        void abandon() {
            for (BodyThread thread : List.copyOf(all)) {
                thread.abandoned = true;
                while (!thread.gone) {
                    thread.goOn();
                }
            }
            all.clear();
            ready.clear();
            idle.clear();
        }
    }

    /** Blocks the calling body for a while; virtual time goes on, and others run. */
    static void takeTime(Duration duration, boolean heedsInterruption) throws InterruptedException {
        BodyThread self = (BodyThread) Thread.currentThread();
        self.heedsInterruption = heedsInterruption;
        int wait = ++self.waits;
        self.pool.timer.after(duration, () -> self.becomeReadyAfter(wait));
        if (!(heedsInterruption && self.interrupted)) {
            self.block();
        }
        if (heedsInterruption && self.interrupted) {
            self.interrupted = false;
            throw new InterruptedException("in virtual time");
        }
    }

    /** Whether the calling body was interrupted, and has ignored it. */
    static boolean hasIgnoredAnInterruption() {
        return ((BodyThread) Thread.currentThread()).interrupted;
    }

    @Override
    public void interrupt() {
        interrupted = true;
        if (heedsInterruption) {
            becomeReady();
        }
    }

    /** Of an earlier wait, which was cut short, the end means nothing any more. */
    private void becomeReadyAfter(int wait) {
        if (wait == waits) {
            becomeReady();
        }
    }

    private void becomeReady() {
        if (!ready && !over) {
            ready = true;
            pool.ready.add(this);
        }
    }

    /** Another task, for a thread whose last one is over. */
    private void begin(Runnable next) {
        task = next;
        waits++;
        heedsInterruption = false;
        interrupted = false;
        ready = true;
        over = false;
    }

    @Override
    public void run() {
        mayGo.acquireUninterruptibly();
        while (!abandoned) {
            runOne();
            over = true;
            pool.idle.add(this);
            hasStopped.release();
            mayGo.acquireUninterruptibly();
        }
        over = true;
        gone = true;
        hasStopped.release();
    }

    private void runOne() {
        try {
            task.run();
        } catch (Abandoned end) {
            // As it is meant to be.
        } catch (RuntimeException | Error e) {
            getThreadGroup().uncaughtException(this, e);
        }
    }

    private void goOn() {
        mayGo.release();
        hasStopped.acquireUninterruptibly();
    }

    private void block() {
        hasStopped.release();
        mayGo.acquireUninterruptibly();
        if (abandoned) {
            throw new Abandoned();
        }
    }
}
