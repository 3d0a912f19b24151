package dev.elasticjob.coordination.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.testing.EarlierValues;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;

/** Whatever an earlier version has stored is read, and written again as it was. */
class EarlierValuesTest {
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();
    private static final String PATH = "/orders/node";

    @ParameterizedTest
    @EarlierValues("config")
    void config(String text) {
        JobDefinition read =
                CODEC.decode(nameIn(text), bytes(text), Optional.empty()).definition();

        assertThat(text(CODEC.config(read, Optional.empty()))).isEqualTo(text);
    }

    private static String nameIn(String config) {
        return config.replaceAll(".*\"jobName\":\"([^\"]+)\".*", "$1");
    }

    @ParameterizedTest
    @EarlierValues("extension")
    void extension(String text) {
        byte[] config =
                CODEC.config(JobDefinition.builder("orders").cron("0 0 3 * * ?").build(), Optional.empty());
        JobDefinition read = (CODEC.isWhole(bytes(text))
                        ? CODEC.decodeWhole("orders", bytes(text))
                        : CODEC.decode("orders", config, Optional.of(bytes(text))))
                .definition();

        assertThat(text(CODEC.extension(read, Optional.empty()))).isEqualTo(text);
    }

    @ParameterizedTest
    @EarlierValues("assignment")
    void assignment(String text) {
        assertThat(text(NodeCodec.write(NodeCodec.readAssignment(PATH, bytes(text)))))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @EarlierValues("record")
    void record(String text) {
        assertThat(text(ItemRecordCodec.write(ItemRecordCodec.read(PATH, bytes(text)))))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @EarlierValues("firings")
    void firings(String text) {
        assertThat(text(NodeCodec.write(NodeCodec.readFirings(node(text), PATH))))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @EarlierValues("runs")
    void runs(String text) {
        assertThat(text(NodeCodec.write(NodeCodec.readRuns(node(text))))).isEqualTo(text);
    }

    @ParameterizedTest
    @EarlierValues("runIds")
    void runIds(String text) {
        assertThat(text(NodeCodec.writeRunIds(NodeCodec.readRunIds(bytes(text)))))
                .isEqualTo(text);
    }

    private static RegistryNode node(String text) {
        return new RegistryNode(bytes(text), 0, 0, 0, Instant.EPOCH, Instant.EPOCH, 0);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }
}
