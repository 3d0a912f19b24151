package dev.elasticjob.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.migration.source.UnreadableSourceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** What becomes of apps and jobs of Elastic-Job-Cloud. */
class CloudTest {
    private static final String APP = """
            {"appName":"shop","appURL":"http://files/shop.tar.gz","bootstrapScript":"bin/start.sh",
             "cpuCount":0.1,"memoryMB":64.0,"appCacheEnable":true,"eventTraceSamplingCount":0}""";

    @TempDir
    private Path folder;

    private MigrationFixture registrations(String... registrations) throws IOException {
        return new MigrationFixture(folder).source("cloud.json", "[" + String.join(",\n", registrations) + "]");
    }

    private static String job(String name, String type, int items, double cpus, String more) {
        return """
                {"jobName":"%s","appName":"shop","jobClass":"shop.%s","jobType":"SIMPLE","jobExecutionType":"%s",
                 "cron":"0 0 3 * * ?","shardingTotalCount":%d,"cpuCount":%s,"memoryMB":128.0%s}""".formatted(name, name, type, items, cpus, more);
    }

    private static Map<?, ?> app(MigrationResult result) {
        return new Yaml().load(MigrationFixture.text(result, "shop-elasticapp.yml"));
    }

    @Test
    void jobsOfTheSameSizeShareAPoolAndAWorkerHasWhatTheAppAndAnItemTake() throws IOException {
        MigrationResult result = registrations(
                        APP,
                        job("orders", "TRANSIENT", 3, 0.1, ",\"misfire\":true"),
                        job("bills", "TRANSIENT", 2, 0.1, ",\"misfire\":true"),
                        job("reports", "TRANSIENT", 4, 2, ",\"misfire\":true"),
                        job("feed", "DAEMON", 2, 0.05, ",\"misfire\":true"))
                .convert();

        assertThat(MigrationFixture.text(result, "shop-elasticapp.yml")).endsWith("""
                apiVersion: elasticjob.dev/v1alpha1
                kind: ElasticApp
                metadata:
                  name: shop
                spec:
                  pools:
                  - name: transient
                    jobs:
                    - orders
                    - bills
                    maxWorkers: 5
                    resources:
                      requests:
                        cpu: 200m
                        memory: 192Mi
                      limits:
                        memory: 192Mi
                  - name: transient-2
                    jobs:
                    - reports
                    maxWorkers: 4
                    resources:
                      requests:
                        cpu: 2100m
                        memory: 192Mi
                      limits:
                        memory: 192Mi
                  - name: daemon
                    jobs:
                    - feed
                    baseWorkers: 2
                    maxWorkers: 2
                    resources:
                      requests:
                        cpu: 150m
                        memory: 192Mi
                      limits:
                        memory: 192Mi
                  template:
                    spec:
                      containers:
                      - name: app
                        image: SET-THE-IMAGE
                """);
        assertThat(MigrationFixture.text(result, "shop-application.yml"))
                .contains("namespace: shop", "orders:", "sharding-total-count: 3", "cron: 0 0 3 * * ?")
                .doesNotContain("misfire");
        assertThat(MigrationFixture.text(result, "annotations.txt"))
                .contains("// shop.orders\n@ElasticJob(name = \"orders\")");
        assertThat(faults(app(result))).isEmpty();
    }

    @Test
    void anApplicationStartsWithTheSettings() throws Exception {
        Path produced = registrations(
                        APP, job("orders", "TRANSIENT", 3, 0.1, "").replace("shop.orders", "shop.Orders"))
                .produced();
        Files.move(produced.resolve("shop-application.yml"), produced.resolve("application.yml"));

        try (var application = ProducedApplication.start(produced, Compiled.of(produced))) {
            assertThat(application.jobs()).containsExactly("orders");
            assertThat(application.definition("orders").shardingTotalCount()).isEqualTo(3);
            assertThat(application.definition("orders").misfire()).isFalse();
            assertThat(application.properties().registry().namespace()).isEqualTo("shop");
        }
    }

    @Test
    void whatCantBeKnownIsToldAndNotInvented() throws IOException {
        MigrationFixture migration = registrations(
                APP.replace("Count\":0}", "Count\":100,\"color\":\"red\"}"),
                job("orders", "TRANSIENT", 3, 0.1, ",\"beanName\":\"a\",\"applicationContext\":\"b.xml\",\"hue\":1"));

        assertThat(migration.findings())
                .contains(
                        "not converted: appURL=\"http://files/shop.tar.gz\" app \"shop\": a pod needs an image: build one of"
                                + " the application, and set it in shop-elasticapp.yml, where \"SET-THE-IMAGE\" stands",
                        "orders: check: beanName=\"a\" annotate the class of this bean with @ElasticJob",
                        "check: app \"shop\": pool \"transient\" keeps one worker, because nobody would see the firings of"
                                + " orders otherwise. Without misfire: false, it scales to zero")
                .anyMatch(line -> line.startsWith("not converted: bootstrapScript=\"bin/start.sh\" "))
                .anyMatch(line -> line.startsWith("not converted: eventTraceSamplingCount=\"100\" "))
                .anyMatch(line -> line.startsWith("not converted: color=\"red\" app \"shop\": no key that"))
                .anyMatch(line -> line.startsWith("not needed: appCacheEnable=\"true\" "))
                .anyMatch(line -> line.startsWith("orders: not converted: applicationContext=\"b.xml\" "))
                .anyMatch(line -> line.startsWith("orders: not converted: hue=\"1\" no key that"))
                .anyMatch(line -> line.startsWith("orders: changed: misfire: false is written out"));
        assertThat(MigrationFixture.text(migration.convert(), "shop-application.yml"))
                .contains("misfire: false");
    }

    @Test
    void allThatIsWrongInAFileIsToldAtOnce() throws IOException {
        MigrationFixture migration = registrations(
                "{\"appName\":\"shop\",\"bootstrapScript\":\"a\"}",
                "{\"jobName\":\"orders\",\"appName\":\"shop\",\"cpuCount\":0,\"memoryMB\":\"much\",\"cron\":\"\","
                        + "\"jobExecutionType\":\"SOMETIMES\"}",
                "7");

        assertThatThrownBy(migration::convert)
                .isInstanceOf(UnreadableSourceException.class)
                .hasMessageContainingAll(
                        "registration 1: expected \"appURL\" in the registration of an app, but it is missing. Add it",
                        "registration 2: expected \"shardingTotalCount\" in the registration of a job, but it is missing",
                        "registration 2: expected a number from 0.001 for \"cpuCount\", but was 0. Correct it",
                        "registration 2: expected a number from 1.0 for \"memoryMB\", but was \"much\". Correct it",
                        "registration 2: expected a text for \"cron\", but was \"\". Correct it",
                        "registration 2: expected TRANSIENT or DAEMON for \"jobExecutionType\", but was \"SOMETIMES\"",
                        "registration 3: expected an object");
    }

    @Test
    void brokenJsonIsRefusedWithItsLine() throws IOException {
        MigrationFixture migration =
                new MigrationFixture(folder).source("app.json", "{\"appName\":\"x\",\n\"appURL\" 3}");

        assertThatThrownBy(migration::convert)
                .hasMessageContaining(", line 2: expected the JSON of registrations of Elastic-Job-Cloud, but: ");
    }

    @Test
    void aJobWhoseAppIsNotThereIsLeftOut() throws IOException {
        MigrationFixture migration = registrations(job("orders", "TRANSIENT", 3, 0.1, ""));

        assertThat(migration.findings())
                .containsExactly(
                        "orders: job left out: its app \"shop\" is not there. Add the app's registration to the files");
        assertThat(migration.convert().files())
                .extracting(MigrationResult.ProducedFile::name)
                .containsExactly("report.txt");
    }

    @Test
    void appAndJobMayBeInFilesOfTheirOwn() throws IOException {
        MigrationFixture migration = new MigrationFixture(folder)
                .source("orders.json", job("orders", "TRANSIENT", 3, 0.1, ""))
                .source("shop.json", APP);

        assertThat(migration.convert().files())
                .extracting(MigrationResult.ProducedFile::name)
                .containsExactly("shop-application.yml", "shop-elasticapp.yml", "annotations.txt", "report.txt");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            my_app      | my-app
            Shop.Eu     | shop-eu
            7th         | -
            订单        | -
            a123456789b123456789c123456789d123456789x | -
            """)
    void aNameIsMadeOneForKubernetesOrRefused(String name, String expected) throws IOException {
        MigrationFixture migration = registrations(
                APP.replace("\"shop\"", "\"" + name + "\""),
                job("orders", "TRANSIENT", 3, 0.1, "").replace("\"shop\"", "\"" + name + "\""));

        if (expected.equals("-")) {
            assertThat(migration.findings())
                    .anyMatch(line ->
                            line.startsWith("not converted: the app \"" + name + "\" is left out: expected a name"))
                    .contains("orders: job left out: its app \"" + name + "\" is left out");
        } else {
            assertThat(MigrationFixture.text(migration.convert(), expected + "-elasticapp.yml"))
                    .contains("name: " + expected);
            assertThat(migration.findings())
                    .anyMatch(line -> line.contains("is named \"" + expected + "\" in Kubernetes"));
        }
    }

    @Test
    void ofTwoAppsWithOneNameInKubernetesTheSecondIsLeftOut() throws IOException {
        MigrationFixture migration = registrations(
                APP,
                APP.replace("\"shop\"", "\"Shop\""),
                job("orders", "TRANSIENT", 3, 0.1, ""),
                job("bills", "TRANSIENT", 3, 0.1, "").replace("\"shop\"", "\"Shop\""));

        assertThat(migration.findings())
                .anyMatch(line -> line.startsWith("not converted: the app \"Shop\" is left out, because \"shop\""))
                .anyMatch(line -> line.startsWith("bills: job left out: "));
    }

    @Test
    void thereAreAtMostAsManyWorkersAsAnElasticAppMayHave() throws IOException {
        MigrationFixture migration = registrations(APP, job("orders", "DAEMON", 1500, 0.1, ",\"misfire\":true"));

        assertThat(faults(app(migration.convert()))).isEmpty();
        assertThat(migration.findings()).anyMatch(line -> line.contains("has 1500 items, and at most 999 workers"));
    }

    // ------------------------------------------------------------------ the definition that the API server has

    @Test
    void theDefinitionFindsWhatIsWrong() {
        assertThat(faults(new Yaml().load("spec: {pools: [{name: A, maxWorkers: 0, jobs: ['a*']}], more: 1}")))
                .hasSize(5);
    }

    private static List<String> faults(Map<?, ?> resource) {
        Map<?, ?> definition = new Yaml().load(text(Path.of("..", "elasticjob-kubernetes", "deploy", "crd.yaml")));
        var version = (Map<?, ?>) ((List<?>) ((Map<?, ?>) definition.get("spec")).get("versions")).get(0);
        var schema = (Map<?, ?>) ((Map<?, ?>) version.get("schema")).get("openAPIV3Schema");
        List<String> faults = new ArrayList<>();
        check("spec", (Map<?, ?>) ((Map<?, ?>) schema.get("properties")).get("spec"), resource.get("spec"), faults);
        return faults;
    }

    private static void check(String path, Map<?, ?> schema, Object value, List<String> faults) {
        if (value instanceof Map<?, ?> object && schema.get("properties") instanceof Map<?, ?> properties) {
            if (schema.get("required") instanceof List<?> required) {
                required.stream().filter(key -> !object.containsKey(key)).forEach(key -> faults.add(path + "." + key));
            }
            object.forEach((key, inner) -> {
                if (properties.get(key) instanceof Map<?, ?> known) {
                    check(path + "." + key, known, inner, faults);
                } else {
                    faults.add(path + "." + key);
                }
            });
        } else if (value instanceof List<?> list) {
            range(path, schema, "minItems", "maxItems", list.size(), faults);
            list.forEach(one -> check(path + "[]", (Map<?, ?>) schema.get("items"), one, faults));
        } else if (value instanceof Number number) {
            range(path, schema, "minimum", "maximum", number.longValue(), faults);
        } else if (value instanceof String text) {
            range(path, schema, "minLength", "maxLength", text.length(), faults);
            if (schema.get("pattern") instanceof String pattern && !Pattern.matches(pattern, text)) {
                faults.add(path + ": " + text);
            }
        }
        if (!typeOf(value).equals(schema.get("type"))) {
            faults.add(path + ": no " + schema.get("type"));
        }
    }

    private static String typeOf(Object value) {
        if (value instanceof Map) {
            return "object";
        }
        if (value instanceof List) {
            return "array";
        }
        return value instanceof Integer ? "integer" : value instanceof Boolean ? "boolean" : "string";
    }

    private static void range(
            String path, Map<?, ?> schema, String least, String most, long found, List<String> faults) {
        if (schema.get(least) instanceof Number min && found < min.longValue()
                || schema.get(most) instanceof Number max && found > max.longValue()) {
            faults.add(path + ": " + found);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
