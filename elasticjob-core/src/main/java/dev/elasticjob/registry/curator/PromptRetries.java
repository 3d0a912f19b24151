package dev.elasticjob.registry.curator;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import org.apache.curator.utils.DefaultZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Makes clients that don't wait for their first session as long as ZooKeeper's own do: those give each attempt to connect
 * the session timeout, divided by the number of servers. A server that is just starting may accept a connection and never
 * answer on it, and a single one that does so would keep an application from starting, because the wait for it ends
 * earlier. Once there was a session, attempts take as long as with ZooKeeper's own. Immutable.
 */
final class PromptRetries extends DefaultZookeeperFactory {
    /** A busy server, or one that is far away, has at least this long to answer. */
    private static final Duration MIN_ATTEMPT = Duration.ofSeconds(2);

    private final Duration attempt;

    private PromptRetries(Duration attempt) {
        this.attempt = attempt;
    }

    /** @param connectionTimeout how long is waited for the first session; above 2 s, more than one attempt is made in it */
    static PromptRetries within(Duration connectionTimeout) {
        Duration half = connectionTimeout.dividedBy(2);
        return new PromptRetries(half.compareTo(MIN_ATTEMPT) < 0 ? MIN_ATTEMPT : half);
    }

    @Override
    public ZooKeeper newZooKeeper(
            String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly, ZKClientConfig config)
            throws IOException {
        var servers = new StaticHostProvider(new ConnectStringParser(connectString).getServerAddresses());
        int attempts = (int) (sessionTimeout / attempt.toMillis()) + 1;
        return new ZooKeeper(
                connectString,
                sessionTimeout,
                watcher,
                canBeReadOnly,
                new Servers(servers, Math.max(servers.size(), attempts)),
                config);
    }

    /** What ZooKeeper's client takes for the number of servers before its first attempt is the number of attempts. */
    private static final class Servers implements HostProvider {
        private final HostProvider all;
        private final int attempts;
        private volatile boolean tried;

        Servers(HostProvider all, int attempts) {
            this.all = all;
            this.attempts = attempts;
        }

        /** Asked by the client when it is made and whenever it is connected, and used for nothing but the timeout. */
        @Override
        public int size() {
            return tried ? all.size() : attempts;
        }

        @Override
        public InetSocketAddress next(long spinDelay) {
            tried = true;
            return all.next(spinDelay);
        }

        @Override
        public void onConnected() {
            all.onConnected();
        }

        @Override
        public boolean updateServerList(Collection<InetSocketAddress> servers, InetSocketAddress current) {
            return all.updateServerList(servers, current);
        }
    }
}
