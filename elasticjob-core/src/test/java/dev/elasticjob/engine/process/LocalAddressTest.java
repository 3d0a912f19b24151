package dev.elasticjob.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.elasticjob.engine.process.LocalAddress.Candidate;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocalAddressTest {
    private static final List<Candidate> MACHINE = List.of(
            new Candidate("lo", 1, address("127.0.0.1")),
            new Candidate("lo", 1, address("::1")),
            new Candidate("eth0", 2, zoned("fe80::1", 2)),
            new Candidate("eth0", 2, address("2001:db8::10")),
            new Candidate("eth0", 2, address("198.51.100.10")),
            new Candidate("eth1", 3, address("10.1.2.3")),
            new Candidate("eth1", 3, address("fd00:0:0:1::7")),
            new Candidate("tun0", 4, zoned("fe80::9", 4)));

    @Test
    void firstReachableAddressIsChosenIpv4BeforeIpv6() {
        assertThat(LocalAddress.choose(MACHINE)).isEqualTo("198.51.100.10");
    }

    @Test
    void ipv6IsChosenWhereThereIsNoIpv4() {
        assertThat(LocalAddress.choose(MACHINE.subList(0, 4))).isEqualTo("2001:db8:0:0:0:0:0:10");
    }

    @Test
    void loopbackIsChosenWhereThereIsNothingElse() {
        assertThat(LocalAddress.choose(MACHINE.subList(0, 3))).isEqualTo("127.0.0.1");
        assertThat(LocalAddress.choose(List.of())).isEqualTo("127.0.0.1");
    }

    @ParameterizedTest
    @CsvSource({
        "eth1, 10.1.2.3",
        "10.0.0.0/8, 10.1.2.3",
        "10.1.2.3/32, 10.1.2.3",
        "0.0.0.0/0, 198.51.100.10",
        "127.0.0.0/8, 127.0.0.1",
        "lo, 127.0.0.1",
        "fd00::/8, fd00:0:0:1:0:0:0:7",
        "2001:db8::/33, 2001:db8:0:0:0:0:0:10",
        "::/0, 2001:db8:0:0:0:0:0:10",
        "tun0, fe80:0:0:0:0:0:0:9",
        "fe80::/10, fe80:0:0:0:0:0:0:1",
    })
    void addressOnThePreferredNetworkIsChosenWithoutItsZone(String preferred, String expected) {
        assertThat(LocalAddress.choose(preferred, MACHINE)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"eth7", "10.2.0.0/16", "2001:db9::/32", "10.1.2.3"})
    void whenNothingMatchesTheAddressesThereAreAreTold(String preferred) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LocalAddress.choose(preferred, MACHINE))
                .withMessage(
                        "\"elasticjob.instance.preferred-network\" is \"" + preferred
                                + "\", but this machine has no address there; it has 127.0.0.1 (lo), 0:0:0:0:0:0:0:1 (lo),"
                                + " fe80:0:0:0:0:0:0:1 (eth0), 2001:db8:0:0:0:0:0:10 (eth0), 198.51.100.10 (eth0), 10.1.2.3 (eth1),"
                                + " fd00:0:0:1:0:0:0:7 (eth1), fe80:0:0:0:0:0:0:9 (tun0). Set it to the name of one of these"
                                + " interfaces or to a network such as 10.0.0.0/8 or fd00::/8, or set \"elasticjob.instance.ip\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"10.0.0.0/33", "10.0.0/8", "256.0.0.0/8", "fd00::/129", "fd00:::/8", "eth0/8", "/8", "10.0.0.0/"
            })
    void whatIsNoNetworkIsRefusedAndNotLookedUp(String preferred) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LocalAddress.choose(preferred, MACHINE))
                .withMessage(
                        "\"elasticjob.instance.preferred-network\" must be the name of a network interface, or a network"
                                + " such as 10.0.0.0/8 or fd00::/8, but is \"" + preferred + "\"");
    }

    @Test
    void addressIsALiteralOneOfThisMachine() {
        String found = LocalAddress.choose(LocalAddress.ofThisMachine());

        assertThat(found).matches("[0-9a-f.:]+");
        assertThat(address(found).isLinkLocalAddress()).isFalse();
        assertThat(address(found).isAnyLocalAddress()).isFalse();
        assertThat(LocalAddress.choose(LocalAddress.ofThisMachine())).isEqualTo(found);
    }

    @Test
    void thisMachineHasALoopbackAddress() {
        assertThat(LocalAddress.choose("127.0.0.0/8", LocalAddress.ofThisMachine()))
                .startsWith("127.");
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static InetAddress zoned(String literal, int zone) {
        try {
            return Inet6Address.getByAddress(null, address(literal).getAddress(), zone);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
