package dev.elasticjob.engine;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A network of addresses, IPv4 or IPv6.
 *
 * @param address one of its addresses
 * @param prefix how many bits all of them share
 */
record Network(InetAddress address, int prefix) {
    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1?\\d?\\d)";
    /** What is a literal for sure: anything else would be looked up as a host's name. */
    private static final Pattern LITERAL =
            Pattern.compile(OCTET + "(\\." + OCTET + "){3}|[0-9a-fA-F]*:[0-9a-fA-F:]*[0-9.]*");

    private static final Pattern BITS = Pattern.compile("\\d{1,3}");

    /** @throws IllegalArgumentException when the text is not an address, a slash and a number of bits */
    static Network parse(String text) {
        int slash = text.lastIndexOf('/');
        String literal = text.substring(0, Math.max(slash, 0));
        String bits = text.substring(slash + 1);
        if (LITERAL.matcher(literal).matches() && BITS.matcher(bits).matches()) {
            try {
                InetAddress address = InetAddress.getByName(literal);
                int prefix = Integer.parseInt(bits);
                if (prefix <= address.getAddress().length * Byte.SIZE) {
                    return new Network(address, prefix);
                }
            } catch (UnknownHostException e) {
                throw malformed(text, e);
            }
        }
        throw malformed(text, null);
    }

    boolean contains(InetAddress other) {
        byte[] ours = address.getAddress();
        byte[] theirs = other.getAddress();
        if (ours.length != theirs.length) {
            return false;
        }
        for (int bit = 0; bit < prefix; bit++) {
            int mask = 0x80 >> (bit % Byte.SIZE);
            if (((ours[bit / Byte.SIZE] ^ theirs[bit / Byte.SIZE]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    private static IllegalArgumentException malformed(String text, @Nullable Throwable cause) {
        return new IllegalArgumentException(
                ("\"elasticjob.instance.preferred-network\" must be the name of a network interface, or a network"
                                + " such as 10.0.0.0/8 or fd00::/8, but is \"%s\"")
                        .formatted(text),
                cause);
    }
}
