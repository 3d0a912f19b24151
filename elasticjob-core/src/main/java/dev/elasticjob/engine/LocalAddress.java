package dev.elasticjob.engine;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Which of this machine's addresses to go by, where the user has named none. Nothing is sent to find out, and no name is
 * looked up.
 */
final class LocalAddress {
    /** What others could reach comes first, then IPv4, then the order of the interfaces. */
    private static final Comparator<Candidate> BEST = Comparator.comparing(
                    (Candidate candidate) -> candidate.address().isLoopbackAddress())
            .thenComparing(candidate -> candidate.address().isLinkLocalAddress())
            .thenComparing(candidate -> !(candidate.address() instanceof Inet4Address))
            .thenComparing(Candidate::index);

    private LocalAddress() {}

    /**
     * An address of this machine.
     *
     * @param networkInterface the name of its interface
     * @param index the interface's place among the others
     */
    record Candidate(String networkInterface, int index, InetAddress address) {
        /** Without the zone that an IPv6 address may carry. */
        String text() {
            return address.getHostAddress().split("%", 2)[0];
        }

        @Override
        public String toString() {
            return "%s (%s)".formatted(text(), networkInterface);
        }
    }

    /**
     * The best of the addresses: IPv4 before IPv6, no loopback and no link-local one while there is another. Loopback
     * where there is none at all.
     */
    static String choose(List<Candidate> addresses) {
        return addresses.stream()
                .filter(candidate -> !candidate.address().isLinkLocalAddress())
                .min(BEST)
                .map(Candidate::text)
                .orElseGet(() -> InetAddress.getLoopbackAddress().getHostAddress());
    }

    /**
     * The best address in a network, which may be a loopback or link-local one: the user wants it.
     *
     * @param preferred the name of an interface, or a network as in {@code 10.0.0.0/8}
     * @throws IllegalArgumentException when it is neither, or none of the addresses is in it
     */
    static String choose(String preferred, List<Candidate> addresses) {
        List<Candidate> onInterface = addresses.stream()
                .filter(candidate -> candidate.networkInterface().equals(preferred))
                .toList();
        return (onInterface.isEmpty() ? within(preferred, addresses) : onInterface)
                .stream()
                        .min(BEST)
                        .map(Candidate::text)
                        .orElseThrow(() -> new IllegalArgumentException(
                                ("\"elasticjob.instance.preferred-network\" is \"%s\", but this machine has no"
                                                + " address there; it has %s. Set it to the name of one of these interfaces"
                                                + " or to a network such as 10.0.0.0/8 or fd00::/8, or set"
                                                + " \"elasticjob.instance.ip\"")
                                        .formatted(preferred, described(addresses))));
    }

    /** Those in a network; none where the text is no network, and hence the name of an interface that isn't there. */
    private static List<Candidate> within(String preferred, List<Candidate> addresses) {
        if (preferred.indexOf('/') < 0) {
            return List.of();
        }
        Network network = Network.parse(preferred);
        return addresses.stream()
                .filter(candidate -> network.contains(candidate.address()))
                .toList();
    }

    private static String described(List<Candidate> addresses) {
        return addresses.isEmpty()
                ? "none"
                : addresses.stream()
                        .sorted(Comparator.comparing(Candidate::index))
                        .map(Candidate::toString)
                        .collect(Collectors.joining(", "));
    }

    /** The addresses of all interfaces that are up; none where the machine doesn't tell. */
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
