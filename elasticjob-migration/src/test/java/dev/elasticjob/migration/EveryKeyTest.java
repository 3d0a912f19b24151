package dev.elasticjob.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.migration.TheirKeys.Attribute;
import dev.elasticjob.migration.conversion.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each key that the released jars of 2.1.5 and 3.0.4 know is carried over, or listed with a reason. */
class EveryKeyTest {
    private static final String UNKNOWN = "no key that this converter knows";
    private static final String NUMBER = "77";

    /** Values that are no defaults, by the key without its case and dashes; any other key has a text. */
    private static final Map<String, String> VALUES = Map.ofEntries(
            Map.entry("cron", "0 0 4 * * ?"),
            Map.entry("timezone", "GMT+05:00"),
            Map.entry("shardingtotalcount", NUMBER),
            Map.entry("shardingitemparameters", "0=zero"),
            Map.entry("monitorexecution", "false"),
            Map.entry("misfire", "false"),
            Map.entry("failover", "true"),
            Map.entry("disabled", "true"),
            Map.entry("overwrite", "true"),
            Map.entry("staticsharding", "true"),
            Map.entry("streamingprocess", "true"),
            Map.entry("monitorport", NUMBER),
            Map.entry("maxtimediffseconds", NUMBER),
            Map.entry("reconcileintervalminutes", NUMBER),
            Map.entry("maxretries", "7"),
            Map.entry("basesleeptimemilliseconds", NUMBER),
            Map.entry("maxsleeptimemilliseconds", NUMBER),
            Map.entry("sessiontimeoutmilliseconds", "7777"),
            Map.entry("connectiontimeoutmilliseconds", NUMBER));

    /** Which registry a job uses decides whether it is converted, and that is another test. */
    private static final Set<String> NOT_ALONE = Set.of("registry-center-ref");

    @TempDir
    private Path folder;

    private int count;

    static Stream<Attribute> jobXml2() {
        return TheirKeys.jobXml2().stream();
    }

    @ParameterizedTest
    @MethodSource("jobXml2")
    void inAJobOf2(Attribute attribute) throws IOException {
        boolean child = attribute.element().endsWith("listener");
        String element = child ? "simple" : attribute.element();
        String own = "%s=\"%s\"".formatted(attribute.name(), value(attribute.name()));
        String job = "<job:%1$s id=\"orders\" cron=\"0 0 1 * * ?\" sharding-total-count=\"1\" %2$s>%3$s</job:%1$s>";

        assertCarriedOrListed(
                attribute.name(),
                before -> before.xml2(job.formatted(element, script(element, attribute), "")),
                after -> after.xml2(
                        child
                                ? job.formatted(element, "", "<job:%s %s/>".formatted(attribute.element(), own))
                                : without(
                                        job.formatted(element, script(element, attribute) + " " + own, ""),
                                        attribute)));
    }

    static Stream<Attribute> registryXml2() {
        return TheirKeys.registryXml2().stream();
    }

    @ParameterizedTest
    @MethodSource("registryXml2")
    void inARegistryOf2(Attribute attribute) throws IOException {
        assertCarriedOrListed(
                attribute.name(),
                before -> before.xml2("<reg:zookeeper id=\"r\"/>"),
                after -> after.xml2(
                        "<reg:zookeeper id=\"r\" %s=\"%s\"/>".formatted(attribute.name(), value(attribute.name()))));
    }

    static Stream<Attribute> xml3() {
        return TheirKeys.xml3().stream();
    }

    @ParameterizedTest
    @MethodSource("xml3")
    void inXmlOf3(Attribute attribute) throws IOException {
        String required = attribute.element().equals("job") ? "cron=\"0 0 1 * * ?\" sharding-total-count=\"1\"" : "";
        String element = "<elasticjob:%s id=\"x\" %s/>";
        String own = " %s=\"%s\"".formatted(attribute.name(), value(attribute.name()));
        boolean bare = !Set.of("job", "zookeeper").contains(attribute.element());

        assertCarriedOrListed(
                attribute.name(),
                before -> before.xml3(bare ? "" : element.formatted(attribute.element(), required)),
                after -> after.xml3(without(element.formatted(attribute.element(), required + own), attribute)));
    }

    @Test
    void inAJobOfProperties() throws IOException {
        Set<String> keys = TheirKeys.bootJob();
        assertThat(keys).hasSizeGreaterThan(15);
        for (String key : keys) {
            String job = "elasticjob.jobs.orders.cron=0 0 1 * * ?\nelasticjob.jobs.orders.elasticJobClass=a.Orders\n"
                    + "elasticjob.jobs.orders.monitorExecution=true\nelasticjob.jobs.orders.misfire=true\n";
            String own = key.equals("props") ? "props.some.key" : key;

            assertCarriedOrListed(
                    key,
                    before -> before.source("application.properties", job),
                    after -> after.source(
                            "application.properties",
                            job + "elasticjob.jobs.orders.%s=%s\n".formatted(own, value(key))));
        }
    }

    @Test
    void inOtherProperties() throws IOException {
        Set<String> keys = TheirKeys.boot();
        assertThat(keys).hasSizeGreaterThan(10);
        for (String key : keys) {
            String last = key.substring(key.lastIndexOf('.') + 1);
            assertCarriedOrListed(
                    key.startsWith("reg-center") ? last : key,
                    before -> before.source("application.properties", "elasticjob.enabled=true\n"),
                    after -> after.source(
                            "application.properties",
                            "elasticjob.enabled=true\nelasticjob.%s=%s\n".formatted(key, value(last))));
        }
    }

    @Test
    void inANodeOf3() throws IOException {
        Set<String> keys = TheirKeys.stored3();
        assertThat(keys).hasSizeGreaterThan(15);
        for (String key : keys) {
            String own = switch (key) {
                case "jobName" -> "jobName: other";
                case "props" -> "props: {some.key: x1}";
                case "jobListenerTypes" -> "jobListenerTypes: [x1]";
                case "jobExtraConfigurations" -> "jobExtraConfigurations: [!!a.B {type: x1}]";
                default -> key + ": " + value(key);
            };
            String name = key.equals("jobName") ? "" : "jobName: orders\n";
            String cron = key.equals("cron") ? "" : "cron: 0 0 1 * * ?\n";

            assertCarriedOrListed(
                    key,
                    before -> before.source("job.yaml", "jobName: orders\ncron: 0 0 1 * * ?\n"),
                    after -> after.source("job.yaml", name + cron + own + "\n"));
        }
    }

    @Test
    void inANodeOf2() throws IOException {
        Set<String> keys = TheirKeys.stored2();
        assertThat(keys).hasSizeGreaterThan(15);
        for (String key : keys) {
            String[] path = key.split("\\.");
            String type = key.equals("scriptCommandLine") ? "SCRIPT" : "SIMPLE";
            String own = path.length > 1
                    ? "\"%s\":{\"%s\":\"a.Handler\"}".formatted(path[0], path[1])
                    : "\"%s\":\"%s\"".formatted(key, key.equals("jobType") ? "DATAFLOW" : value(key));
            String job = "{\"jobName\":\"orders\",\"jobClass\":\"a.Orders\",\"jobType\":\"" + type
                    + "\",\"cron\":\"0 0 1 * * ?\",\"scriptCommandLine\":\"a\"";

            assertCarriedOrListed(
                    path[path.length - 1],
                    before -> before.source("job.json", job + "}"),
                    after -> after.source("job.json", withoutMember(job, key) + "," + own + "}"));
        }
    }

    private interface Source {
        void addTo(MigrationFixture migration) throws IOException;
    }

    private void assertCarriedOrListed(String key, Source before, Source after) throws IOException {
        MigrationResult without = converted(before);
        MigrationResult with = converted(after);

        List<Finding> about = with.findings().stream()
                .filter(finding -> finding.setting().stream()
                                .anyMatch(text -> uniform(text).contains(uniform(key)))
                        || finding.reason().contains(key))
                .toList();
        assertThat(about).noneMatch(finding -> finding.reason().startsWith(UNKNOWN));
        if (!NOT_ALONE.contains(key) && texts(with).equals(texts(without))) {
            assertThat(about)
                    .as("what the report says about \"%s\", which is nowhere else", key)
                    .isNotEmpty();
        }
    }

    private MigrationResult converted(Source source) throws IOException {
        var migration = new MigrationFixture(Files.createDirectory(folder.resolve(String.valueOf(count++))));
        source.addTo(migration);
        return migration.convert();
    }

    private static List<String> texts(MigrationResult result) {
        return result.files().stream()
                .filter(file -> !file.name().equals("report.txt"))
                .map(MigrationResult.ProducedFile::text)
                .toList();
    }

    private static String value(String key) {
        return VALUES.getOrDefault(uniform(key), "x1");
    }

    private static String uniform(String key) {
        return key.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
    }

    /** A script needs its command line. */
    private static String script(String element, Attribute attribute) {
        return element.equals("script") && !attribute.name().equals("script-command-line")
                ? "script-command-line=\"a\""
                : "";
    }

    /** Without the first of two attributes of the same name. */
    private static String without(String element, Attribute attribute) {
        String own = attribute.name() + "=\"";
        return element.indexOf(" " + own) == element.lastIndexOf(" " + own)
                ? element
                : element.replaceFirst(" " + own + "[^\"]*\"", "");
    }

    private static String withoutMember(String json, String key) {
        return json.replaceFirst("\"" + key + "\":\"[^\"]*\",?", "").replaceFirst(",$", "");
    }
}
