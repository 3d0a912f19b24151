package dev.elasticjob.simulation;

import dev.elasticjob.registry.ConnectionState;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.simulation.Mishaps.Mishap;
import dev.elasticjob.time.TaskTimer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A client's way to the ensemble. Requests go out in order and are served one by one; answers, events and states come
 * back in order and are delivered one by one; a break loses what is under way in both directions. Each of these steps
 * is a {@link Steps.Source} of its own.
 */
final class Connection {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Network network;
    private final TaskTimer timer;
    private final Client client;
    private final Deque<Exchange<?>> requests = new ArrayDeque<>();
    private final Deque<Message> messages = new ArrayDeque<>();
    private final Set<Exchange<?>> inFlight = new LinkedHashSet<>();
    /** Requests that were under way when the connection broke: they may yet be carried out. */
    private final Deque<Exchange<?>> astray = new ArrayDeque<>();

    private Mishaps mishaps = exchange -> Mishap.NONE;
    private @Nullable Server astrayAt;
    /** Whether they are on their way still: it may be a long one. */
    private boolean held;

    private @Nullable Server server;
    private @Nullable RegistrySession session;
    private boolean reachable = true;
    private boolean stalled;
    private boolean pingWaits;
    private boolean onTheWay;
    private Duration slowness = Duration.ZERO;
    private boolean closed;
    private int link;
    /** What the present handle of the client has seen: it accepts no server that is behind that. */
    private int seen;

    private int handle;

    /** Who is told. */
    interface Client {
        void stateChanged(ConnectionState state, Optional<RegistrySession> session);

        /** A new connection: what the client waits for is put on the server. */
        void connected(Server server);

        void sessionEnded();

        /** The server has applied a change. */
        void changed(Replica.Change change);
    }

    record Exchange<T extends @Nullable Object>(
            String what, boolean writes, long session, Function<Server, T> serve, CompletableFuture<T> answered) {}

    /** @param handle of the client that has received it; with a new session it is another one */
    private record Message(boolean overTheNetwork, Object merging, int zxid, int handle, Runnable told) {}

    Connection(Network network, TaskTimer timer, Client client) {
        this.network = network;
        this.timer = timer;
        this.client = client;
        network.add(this);
    }

    /** The first connection: there at once. */
    RegistrySession begin() {
        Server first = network.pick(0);
        RegistrySession opened = network.quorum().open(this);
        session = opened;
        attach(first);
        ping();
        return opened;
    }

    void meet(Mishaps next) {
        mishaps = next;
    }

    // ------------------------------------------------------------------ requests

    <T extends @Nullable Object> CompletableFuture<T> send(boolean writes, String what, Function<Server, T> serve) {
        Exchange<T> exchange = new Exchange<>(what, writes, sessionId(), serve, new CompletableFuture<>());
        inFlight.add(exchange);
        requests.add(exchange);
        return exchange.answered();
    }

    Steps.Source requests() {
        return new Steps.Source() {
            @Override
            public boolean isReady() {
                return areAstrayServable() || (!stalled && !onTheWay && isServable(requests, server));
            }

            @Override
            public void step() {
                if (areAstrayServable()) {
                    serve(astray.remove(), astrayAt, false);
                } else {
                    goSlowly();
                    serve(requests.remove(), server, true);
                }
            }
        };
    }

    private boolean areAstrayServable() {
        return !held && isServable(astray, astrayAt);
    }

    private static boolean isServable(Deque<Exchange<?>> queue, @Nullable Server at) {
        return at != null && !queue.isEmpty() && !(queue.element().writes() && at.isCutOff());
    }

    private <T extends @Nullable Object> void serve(Exchange<T> exchange, Server at, boolean mayAnswer) {
        Mishap mishap = mishaps.next(exchange);
        if (mishap == Mishap.CRASH_BEFORE) {
            mishaps.crash();
            return;
        }
        if (mishap == Mishap.LOSE_REQUEST) {
            breaks();
            return;
        }
        at.hear(exchange.session());
        Runnable answer = answer(exchange, at);
        if (mishap == Mishap.CRASH_AFTER) {
            mishaps.crash();
        } else if (mishap == Mishap.LOSE_ANSWER) {
            breaks();
        } else if (mayAnswer) {
            if (mishap == Mishap.STANDSTILL_AFTER) {
                mishaps.standStill();
            }
            messages.add(new Message(true, answer, at.applied(), handle, () -> {
                if (inFlight.remove(exchange)) {
                    answer.run();
                }
            }));
        }
    }

    private <T extends @Nullable Object> Runnable answer(Exchange<T> exchange, Server at) {
        if (exchange.writes() && !network.quorum().lives(exchange.session())) {
            return () -> exchange.answered().completeExceptionally(unanswered(exchange));
        }
        try {
            T value = exchange.serve().apply(at);
            if (exchange.writes()) {
                at.catchUp(network.quorum().logged());
            }
            return () -> exchange.answered().complete(value);
        } catch (RuntimeException e) {
            return () -> exchange.answered().completeExceptionally(e);
        }
    }

    // ------------------------------------------------------------------ messages

    Steps.Source messages() {
        return new Steps.Source() {
            @Override
            public boolean isReady() {
                return !messages.isEmpty() && !(stalled && messages.element().overTheNetwork());
            }

            @Override
            public void step() {
                Message message = messages.remove();
                seen = message.handle() == handle ? Math.max(seen, message.zxid()) : seen;
                message.told().run();
            }
        };
    }

    void changed(Replica.Change change) {
        client.changed(change);
    }

    /** Tells of an event; one that follows on the heels of another of its kind is merged with it. */
    void event(Object kind, Runnable told) {
        if (server == null) {
            return;
        }
        Message last = messages.peekLast();
        if (last != null && last.merging().equals(kind)) {
            return;
        }
        messages.add(new Message(true, kind, server.applied(), handle, told));
    }

    /** Tells what the client finds out itself: never lost. */
    void tell(Runnable told) {
        messages.add(new Message(false, told, 0, handle, told));
    }

    // ------------------------------------------------------------------ breaks

    /** The connection breaks; the client notices a little later. */
    void breaks() {
        breaksUnnoticedFor(Duration.ofMillis(network.random().nextInt(300)));
    }

    /** The network is away for a while. The client notices the break after some time, or with the end of it. */
    void cut(Duration away, Duration unnoticed) {
        reachable = false;
        timer.after(away, () -> reachable = true);
        breaksUnnoticedFor(unnoticed);
    }

    void mend() {
        reachable = true;
    }

    /** What is under way to a server that is no more is lost, and the client accepts no server until it has a new session. */
    void serversLoseData() {
        astray.clear();
        seen = session == null ? 0 : Integer.MAX_VALUE;
    }

    private void breaksUnnoticedFor(Duration unnoticed) {
        if (server == null) {
            return;
        }
        loseLink();
        int broken = link;
        timer.after(unnoticed, () -> notice(broken));
    }

    private void loseLink() {
        Server former = server;
        if (former == null) {
            return;
        }
        former.detach(this);
        loseMessages();
        astray.clear();
        astrayAt = former;
        held = network.random().nextInt(3) == 0;
        if (held) {
            network.later(Duration.ofMillis(network.random().nextInt(6_000)), () -> held = false);
        }
        int arrived = requests.isEmpty() ? 0 : network.random().nextInt(requests.size() + 1);
        for (int i = 0; i < arrived; i++) {
            astray.add(requests.remove());
        }
        requests.clear();
        server = null;
    }

    /** What has arrived before is read all the same, perhaps long after: by a process that stood still. */
    private void loseMessages() {
        int arrived = stalled ? 0 : network.random().nextInt(messages.size() + 1);
        List<Message> read = new ArrayList<>();
        for (int i = 0; !messages.isEmpty(); i++) {
            Message message = messages.remove();
            if (i < arrived || !message.overTheNetwork()) {
                read.add(message);
            }
        }
        messages.addAll(read);
    }

    private void notice(int broken) {
        if (closed || broken != link) {
            return;
        }
        requests.clear();
        List.copyOf(inFlight)
                .forEach(exchange -> tell(() -> exchange.answered().completeExceptionally(unanswered(exchange))));
        inFlight.clear();
        Optional<RegistrySession> kept = Optional.ofNullable(session);
        tell(() -> client.stateChanged(ConnectionState.SUSPENDED, kept));
        long timeout = network.quorum().sessionTimeout().toMillis();
        // The client counts by its own clock, and from its own moment: earlier or later than the servers.
        timer.after(Duration.ofMillis(timeout * (30 + network.random().nextInt(100)) / 100), () -> giveUp(broken));
        reconnectLater(broken);
    }

    private void giveUp(int broken) {
        if (!closed && broken == link && session != null) {
            loseSession();
        }
    }

    private void loseSession() {
        session = null;
        seen = 0;
        handle++;
        client.sessionEnded();
        tell(() -> client.stateChanged(ConnectionState.LOST, Optional.empty()));
    }

    private void reconnectLater(int broken) {
        timer.after(PAUSE.multipliedBy(1 + network.random().nextInt(4)), () -> reconnect(broken));
    }

    private void reconnect(int broken) {
        if (closed || broken != link) {
            return;
        }
        if (!reachable || seen > network.quorum().logged()) {
            reconnectLater(broken);
            return;
        }
        if (session != null && !network.quorum().lives(session.id())) {
            loseSession();
        }
        Server next = network.pick(seen);
        if (session != null) {
            // A session that has moved on is served there alone; one that was given up may live until its timeout.
            astray.clear();
        }
        if (session == null) {
            session = network.quorum().open(this);
            next.catchUp(network.quorum().logged());
        }
        network.quorum().touch(session.id());
        Optional<RegistrySession> present = Optional.of(session);
        attach(next);
        client.connected(next);
        tell(() -> client.stateChanged(ConnectionState.RECONNECTED, present));
    }

    private void attach(Server next) {
        link++;
        server = next;
        next.attach(this);
    }

    /** For a while nothing gets through in either direction, and the connection stays. */
    void stall(Duration duration) {
        stalled = true;
        timer.after(duration, () -> {
            stalled = false;
            if (pingWaits) {
                pingWaits = false;
                hear();
            }
        });
    }

    /** For a while each request is a long time on its way. */
    void slow(Duration duration, Duration longest) {
        slowness = longest;
        network.later(duration, () -> slowness = Duration.ZERO);
    }

    private void goSlowly() {
        if (!slowness.isZero()) {
            onTheWay = true;
            network.later(
                    Duration.ofMillis(network.random().nextInt((int) slowness.toMillis())), () -> onTheWay = false);
        }
    }

    private void hear() {
        if (server != null && !closed) {
            server.hear(sessionId());
        }
    }

    /** One that meets a stall is late, as the network keeps its order; it isn't lost. */
    private void ping() {
        pingWaits |= stalled;
        if (!stalled) {
            hear();
        }
        timer.after(network.quorum().sessionTimeout().dividedBy(3), this::ping);
    }

    // ------------------------------------------------------------------ ends

    /** The session is ended in good order. */
    void close() {
        if (!closed) {
            closed = true;
            long last = sessionId();
            send(true, "the session", at -> {
                network.quorum().end(last);
                return true;
            });
        }
    }

    /** The process is gone: what it has sent may still arrive. */
    void die() {
        closed = true;
        loseLink();
    }

    boolean isConnectedIn(long id) {
        return server != null && sessionId() == id;
    }

    boolean isConnected() {
        return server != null;
    }

    Server server() {
        return server;
    }

    long sessionId() {
        return session == null ? 0 : session.id();
    }

    private static RegistryUnavailableException unanswered(Exchange<?> exchange) {
        return new RegistryUnavailableException(
                "No answer for \"%s\"".formatted(exchange.what()),
                exchange.writes(),
                new IllegalStateException("The connection broke, or the session has ended"));
    }
}
