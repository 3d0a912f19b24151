package dev.elasticjob.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.registry.RegistryNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/**
 * Data in a node that no instance has written. It is accepted, and what was read can be written and read again; or it says
 * nothing; or it is refused with the error that callers expect, and that names the node or the job. Anything else, a memory
 * that fills up among it, would harm other jobs of the process.
 *
 * <p>To look for more: {@code -Dfuzz.inputs=100000 -Dfuzz.seed=7}.
 *
 * @param name for the message
 * @param example as an instance writes it
 * @param again reads data, and writes what was read; empty if it says nothing
 * @param isAnything whether any data is accepted: it means something, or nothing at all
 */
public record StoredFuzz(String name, byte[] example, Function<byte[], Optional<byte[]>> again, boolean isAnything) {
    /** Where nodes are that can't be read. */
    public static final String PATH = "/orders/node";

    private static final int INPUTS = Integer.getInteger("fuzz.inputs", 9_000);
    private static final long SEED = Long.getLong("fuzz.seed", 1);

    /** Of a form that only instances write: some data is no value of it. */
    public static StoredFuzz of(String name, String example, Function<byte[], Optional<byte[]>> again) {
        return new StoredFuzz(name, example.getBytes(StandardCharsets.UTF_8), again, false);
    }

    public static RegistryNode node(byte[] data) {
        return new RegistryNode(data, 1, 1, 1, Instant.EPOCH, Instant.EPOCH, 0);
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public StoredFuzz acceptsAnything() {
        return new StoredFuzz(name, example, again, true);
    }

    public void check() {
        assertThat(again.apply(example))
                .as("the example of %s", name)
                .hasValueSatisfying(written -> assertThat(written).isNotEmpty());
        Random random = new Random(SEED + name.hashCode());
        int accepted = 0;
        for (int input = 0; input < INPUTS; input++) {
            byte[] data = changed(example, random);
            try {
                accepted += isAccepted(data) ? 1 : 0;
            } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
                throw new AssertionError("%s, input %d: %s".formatted(name, input, shown(data)), e);
            }
        }

        assertThat(accepted).as("inputs that %s accepts", name).isBetween(1, isAnything ? INPUTS : INPUTS - 1);
    }

    private boolean isAccepted(byte[] data) {
        Optional<byte[]> written;
        try {
            written = again.apply(data);
        } catch (CorruptNodeException e) {
            assertThat(e).hasMessageContaining(PATH);
            return false;
        } catch (UnreadableDefinitionException e) {
            assertThat(e).hasMessageContaining("orders");
            return false;
        }
        written.ifPresent(text -> assertThat(again.apply(text))
                .hasValueSatisfying(same -> assertThat(same).isEqualTo(text)));
        return written.isPresent();
    }

    @Override
    public String toString() {
        return name;
    }

    // ------------------------------------------------------------------ inputs

    private static final List<String> TOKENS = List.of(
            "null",
            "true",
            "-1",
            "0",
            "2147483648",
            "1e400",
            "99999999999999999999999",
            "\"\"",
            "\"\\ud800\"",
            "\"\\u0000\"",
            "{}",
            "[]",
            "[[]]",
            "[".repeat(2_000),
            "{\"a\":".repeat(2_000),
            "\"0-2147483647\"",
            "\"0-49999,0-49999\"",
            "\"+999999999-12-31T23:59:59.999999999Z\"",
            "\"PT2562047788015215H30M7S\"",
            "\"-PT1S\"",
            "\"PT-9223372036854775808S\"",
            "\"0 0 0 31 2 ?\"",
            "\"2=x,99999999=y\"",
            "{\"@class\":\"java.net.URL\"}",
            "[null]",
            "{\"x\":null}",
            "2147483647",
            "\"a/b\"",
            "\",\"",
            "\"" + "x".repeat(70_000) + "\"");

    /** The example, changed in one to three places. */
    private static byte[] changed(byte[] example, Random random) {
        byte[] data = example;
        for (int change = random.nextInt(3); change >= 0; change--) {
            data = changedOnce(data, random);
        }
        return data;
    }

    private static byte[] changedOnce(byte[] data, Random random) {
        int from = random.nextInt(data.length + 1);
        int to = Math.min(data.length, from + random.nextInt(20));
        return switch (random.nextInt(6)) {
            case 0 -> replaced(data, from, data.length, new byte[0]);
            case 1 -> replaced(data, from, to, new byte[0]);
            case 2 -> replaced(data, to, to, slice(data, from, to));
            case 3 -> replaced(data, from, Math.min(data.length, from + 1), new byte[] {(byte) random.nextInt(256)});
            case 4 -> replaced(data, from, to, token(random));
            default -> withOtherValue(data, from, random);
        };
    }

    /** Another value for the key before a place: this is still JSON. */
    private static byte[] withOtherValue(byte[] data, int place, Random random) {
        String text = text(data);
        int colon = text.lastIndexOf(':', Math.min(place, text.length()));
        int end = colon < 0 ? -1 : text.indexOf(',', colon);
        return end < 0
                ? data
                : (text.substring(0, colon + 1) + text(token(random)) + text.substring(end))
                        .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] token(Random random) {
        return TOKENS.get(random.nextInt(TOKENS.size())).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] slice(byte[] data, int from, int to) {
        return Arrays.copyOfRange(data, from, to);
    }

    private static byte[] replaced(byte[] data, int from, int to, byte[] by) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(data, 0, from);
        all.writeBytes(by);
        all.write(data, to, data.length - to);
        return all.toByteArray();
    }

    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }

    private static String shown(byte[] data) {
        String text = text(data);
        return text.length() > 2_000 ? text.substring(0, 2_000) + "…" : text;
    }
}
