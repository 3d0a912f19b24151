package dev.elasticjob.engine.process;

import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Chooses one of this machine's addresses if none is configured. Sends nothing, and resolves no name. */
public final class LocalAddress {
    /** Reachable addresses come first, then IPv4, then the order of the interfaces. */
    private static final Comparator<Candidate> BEST = Comparator.comparing(
                    (Candidate candidate) -> candidate.address().isLoopbackAddress())
            .thenComparing(candidate -> candidate.address().isLinkLocalAddress())
            .thenComparing(candidate -> !(candidate.address() instanceof Inet4Address))
            .thenComparing(Candidate::index);

    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1?\\d?\\d)";
    /** A literal address, a slash and a number of bits. Anything but a literal would be resolved as a host name. */
    private static final Pattern NETWORK = Pattern.compile(
            "(?<address>" + OCTET + "(\\." + OCTET + "){3}|[0-9a-fA-F]*:[0-9a-fA-F:]*[0-9.]*)/(?<bits>\\d{1,3})");

    private LocalAddress() {}

    /**
     * An address of this machine.
     *
     * @param networkInterface the name of its interface
     * @param index the position of the interface
     */
    record Candidate(String networkInterface, int index, InetAddress address) {
        /** The address without the zone of an IPv6 address. */
        String text() {
            return address.getHostAddress().split("%", 2)[0];
        }

        @Override
        public String toString() {
            return "%s (%s)".formatted(text(), networkInterface);
        }
    }

    /** This machine's best address, in a network if one is preferred; see below. */
    public static String on(@Nullable String preferred) {
        return preferred == null ? choose(ofThisMachine()) : choose(preferred, ofThisMachine());
    }

    /**
     * The best address: IPv4 before IPv6; loopback and link-local addresses only if there are no others. Loopback if
     * there is none at all.
     */
    static String choose(List<Candidate> addresses) {
        return addresses.stream()
                .filter(candidate -> !candidate.address().isLinkLocalAddress())
                .min(BEST)
                .map(Candidate::text)
                .orElseGet(() -> InetAddress.getLoopbackAddress().getHostAddress());
    }

    /**
     * The best address in a network, which may be a loopback or link-local one.
     *
     * @param preferred the name of an interface, or a network as in {@code 10.0.0.0/8}
     * @throws IllegalArgumentException if it is neither, or none of the addresses is in it
     */
    static String choose(String preferred, List<Candidate> addresses) {
        Predicate<Candidate> isPreferred =
                candidate -> candidate.networkInterface().equals(preferred);
        if (preferred.contains("/") && addresses.stream().noneMatch(isPreferred)) {
            isPreferred = within(preferred);
        }
        return addresses.stream()
                .filter(isPreferred)
                .min(BEST)
                .map(Candidate::text)
                .orElseThrow(() -> new IllegalArgumentException(
                        ("\"elasticjob.instance.preferred-network\" is \"%s\", but this machine has no address there; it"
                                        + " has %s. Set it to the name of one of these interfaces or to a network such"
                                        + " as 10.0.0.0/8 or fd00::/8, or set \"elasticjob.instance.ip\"")
                                .formatted(preferred, described(addresses))));
    }

    private static Predicate<Candidate> within(String network) {
        Matcher matcher = NETWORK.matcher(network);
        try {
            if (matcher.matches()) {
                byte[] bytes = InetAddress.getByName(matcher.group("address")).getAddress();
                int hostBits = bytes.length * Byte.SIZE - Integer.parseInt(matcher.group("bits"));
                if (hostBits >= 0) {
                    BigInteger prefix = new BigInteger(1, bytes).shiftRight(hostBits);
                    return candidate -> candidate.address().getAddress().length == bytes.length
                            && new BigInteger(1, candidate.address().getAddress())
                                    .shiftRight(hostBits)
                                    .equals(prefix);
                }
            }
        } catch (UnknownHostException e) {
            throw malformed(network, e);
        }
        throw malformed(network, null);
    }

    private static IllegalArgumentException malformed(String network, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                ("\"elasticjob.instance.preferred-network\" must be the name of a network interface, or a network such as"
                                + " 10.0.0.0/8 or fd00::/8, but is \"%s\"")
                        .formatted(network),
                cause);
    }

    private static String described(List<Candidate> addresses) {
        return addresses.isEmpty()
                ? "none"
                : addresses.stream()
                        .sorted(Comparator.comparing(Candidate::index))
                        .map(Candidate::toString)
                        .collect(Collectors.joining(", "));
    }

    /** The addresses of all interfaces that are up; none if they can't be read. */
    static List<Candidate> ofThisMachine() {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(LocalAddress::isUp)
                    .flatMap(one ->
                            one.inetAddresses().map(address -> new Candidate(one.getName(), one.getIndex(), address)))
                    .toList();
        } catch (SocketException e) {
            return List.of();
        }
    }

    private static boolean isUp(NetworkInterface candidate) {
        try {
            return candidate.isUp();
        } catch (SocketException e) {
            return false;
        }
    }
}
