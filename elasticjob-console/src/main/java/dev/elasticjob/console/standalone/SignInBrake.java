package dev.elasticjob.console.standalone;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Refuses attempts to sign in after several wrong passwords: for one user, from wherever they come, and from one address,
 * whatever user they name. The time for which it refuses doubles with each further one. An attempt counts as soon as it
 * begins, so that many at once are no way around. Whether there is such a user doesn't matter. Thread-safe.
 */
final class SignInBrake {
    /** Wrong passwords for one user that nobody waits after. */
    static final int FREE_OF_USER = 4;

    /** Of all the people behind one address. */
    static final int FREE_OF_ADDRESS = 19;

    static final Duration FIRST_WAIT = Duration.ofSeconds(15);
    static final Duration LONGEST_WAIT = Duration.ofMinutes(15);

    /** After so long without an attempt, the earlier ones don't count any more. */
    static final Duration FORGOTTEN = Duration.ofHours(1);

    /** Of users, and as many of addresses: the ones that were tried longest ago are forgotten before. */
    static final int MOST_KEPT = 10_000;

    /** A name may be as long as a request. */
    private static final int LONGEST_NAME = 200;

    /** Whoever has one such address has all that begin alike. */
    private static final Pattern NETWORK_OF_IPV6 =
            Pattern.compile("((?:[0-9a-fA-F]{1,4}:){4})(?:[0-9a-fA-F]{1,4}:){3}.*");

    private final LongSupplier nanoTime;
    // Both are guarded by this object, and have the ones that were tried last at their end.
    private final Map<String, Tries> users = new LinkedHashMap<>();
    private final Map<String, Tries> addresses = new LinkedHashMap<>();

    /** @param nanoTime a clock that never goes back */
    SignInBrake(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Wrong passwords, and attempts that have not ended.
     *
     * @param untilNanos when the next attempt is possible
     */
    private record Tries(int count, long lastNanos, long untilNanos) {}

    /**
     * An attempt begins.
     *
     * @return how long no attempt is possible; the password must not be looked at then. Empty if this one may go on
     */
    synchronized Optional<Duration> begin(String user, String address) {
        Optional<Duration> wait = refusedFor(user, address);
        if (wait.isEmpty()) {
            count(users, user(user), FREE_OF_USER);
            count(addresses, network(address), FREE_OF_ADDRESS);
        }
        return wait;
    }

    /** How long no attempt of this user or from this address is possible; empty if one is. */
    synchronized Optional<Duration> refusedFor(String user, String address) {
        long now = nanoTime.getAsLong();
        forget(users, now);
        forget(addresses, now);
        long left = Math.max(left(users.get(user(user)), now), left(addresses.get(network(address)), now));
        return Optional.of(Duration.ofNanos(left)).filter(rest -> !rest.isZero());
    }

    /** The attempt has ended with the right password. Wrong ones from the same address still count. */
    synchronized void succeeded(String user, String address) {
        users.remove(user(user));
        addresses.computeIfPresent(
                network(address),
                (any, tries) -> tries.count() == 1
                        ? null
                        : new Tries(tries.count() - 1, tries.lastNanos(), nanoTime.getAsLong()));
    }

    private static long left(@Nullable Tries tries, long now) {
        return tries == null ? 0 : Math.max(0, tries.untilNanos() - now);
    }

    private void count(Map<String, Tries> all, String key, int free) {
        long now = nanoTime.getAsLong();
        Tries before = all.remove(key);
        int count = before == null ? 1 : before.count() + 1;
        all.put(key, new Tries(count, now, now + afterwards(count - free).toNanos()));
        if (all.size() > MOST_KEPT) {
            all.remove(all.keySet().iterator().next());
        }
    }

    /** @param beyond how many attempts there were beyond those that nobody waits after */
    private static Duration afterwards(int beyond) {
        if (beyond <= 0) {
            return Duration.ZERO;
        }
        // Never so many that it overflows.
        Duration wait = FIRST_WAIT.multipliedBy(1L << Math.min(beyond - 1, 20));
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }

    private static void forget(Map<String, Tries> all, long now) {
        Iterator<Tries> oldest = all.values().iterator();
        while (oldest.hasNext() && now - oldest.next().lastNanos() > FORGOTTEN.toNanos()) {
            oldest.remove();
        }
    }

    /** As Spring Security finds it, for which a user is the same in capitals. */
    private static String user(String name) {
        String same = name.strip().toLowerCase(Locale.ROOT);
        return same.length() > LONGEST_NAME ? same.substring(0, LONGEST_NAME) : same;
    }

    private static String network(String address) {
        Matcher ipv6 = NETWORK_OF_IPV6.matcher(address);
        return ipv6.matches() ? ipv6.group(1) : address;
    }
}
