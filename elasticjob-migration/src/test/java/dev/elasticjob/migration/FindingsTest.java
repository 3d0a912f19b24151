package dev.elasticjob.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.migration.output.SettingsPlacement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can't be carried over as it is, and what the report says about it. */
class FindingsTest {
    private static final String ORDERS =
            "<job:simple id=\"orders\" class=\"shop.Orders\" cron=\"0 0 1 * * ?\" sharding-total-count=\"2\" %s/>";

    @TempDir
    private Path folder;

    private MigrationFixture orders(String attributes) throws IOException {
        return new MigrationFixture(folder).xml2(ORDERS.formatted(attributes));
    }

    @Test
    void anUnknownAttributeIsListed() throws IOException {
        assertThat(orders("sharding-total-cuont=\"3\"").findings())
                .contains(
                        "orders: not converted: sharding-total-cuont=\"3\" no key that this converter knows; check its spelling");
    }

    @Test
    void anExpressionIsListedAndAPlaceholderIsKept() throws IOException {
        MigrationFixture migration = orders("job-parameter=\"#{systemProperties['a']}\" description=\"${text}\"");

        assertThat(migration.findings()).anyMatch(line -> line.startsWith("orders: not converted: job-parameter="));
        assertThat(migration.yaml()).contains("description: ${text}").doesNotContain("job-parameter");
    }

    @Test
    void theReportNamesFileAndLine() throws IOException {
        assertThat(MigrationFixture.text(orders("foo=\"x\"").convert(), "report.txt"))
                .contains("jobs-0.xml, line 6)")
                .startsWith("Jobs converted: 1. Jobs left out: 0. Settings not converted: 1.\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 0 9 ? * 2-6   | 0 0 9 ? * MON-FRI",
                "0 0 9 ? * 2-6 * | 0 0 9 ? * MON-FRI",
                "0 0 9 ? * L     | 0 0 9 ? * SAT",
                "0 0 9 ? * 2-6 2027-2030 | 0 0 9 ? * MON-FRI 2027-2030",
                "0 0 9 1 JAN/3 ? | 0 0 9 1 JAN ?",
                "5X 0 9 * * ?    | 5 0 9 * * ?",
            })
    void aCronExpressionOfQuartzIsTranslated(String quartz, String here) throws IOException {
        var migration =
                new MigrationFixture(folder).xml2("<job:simple id=\"orders\" class=\"a.B\" cron=\"" + quartz + "\"/>");

        assertThat(migration.yaml()).contains("cron: " + here);
        assertThat(migration.findings())
                .anyMatch(line -> line.startsWith("orders: changed: cron=\"" + quartz + "\" is \"" + here + "\" here"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 9 * * ? 2027", "0 0 22-2 ? NOV-FEB FRI-MON 2026/2", "0 0 9 31W * ? 2027,2029"})
    void aCronExpressionThatMeansTheSameIsKept(String cron) throws IOException {
        var migration =
                new MigrationFixture(folder).xml2("<job:simple id=\"orders\" class=\"a.B\" cron=\"" + cron + "\"/>");

        assertThat(migration.yaml()).contains("cron: " + cron);
        assertThat(migration.findings()).noneMatch(line -> line.contains("cron="));
    }

    @ParameterizedTest
    @CsvSource({"0 0 9 * * ? 2200", "0 0 9 L-31 * ?", "nonsense"})
    void aJobWhoseCronHasNoEquivalentIsLeftOut(String cron) throws IOException {
        var migration =
                new MigrationFixture(folder).xml2("<job:simple id=\"orders\" class=\"a.B\" cron=\"" + cron + "\"/>");

        MigrationResult result = migration.convert();

        assertThat(result.isComplete()).isFalse();
        assertThat(MigrationFixture.text(result, "application.yml")).doesNotContain("orders");
        assertThat(result.files()).extracting("name").doesNotContain("annotations.txt");
        assertThat(migration.findings())
                .anyMatch(line -> line.startsWith("orders: job left out: cron=")
                        && line.contains(
                                Schedule.problemOfCron(cron, ZoneOffset.UTC).orElseThrow()));
    }

    @Test
    void aJobOf2WithoutACronIsLeftOutInsteadOfBecomingAOneOffJob() throws IOException {
        var migration = new MigrationFixture(folder).xml2("<job:simple id=\"orders\" class=\"a.B\"/>");

        assertThat(migration.convert().isComplete()).isFalse();
    }

    @Test
    void whatTheApplicationWouldRefuseIsLeftOut() throws IOException {
        var migration = new MigrationFixture(folder)
                .xml2("<job:script id=\"clean\" cron=\"0 0 1 * * ?\" sharding-total-count=\"0\"/>");

        assertThat(migration.findings())
                .contains(
                        "clean: job left out: this project refuses shardingTotalCount is \"0\": a job needs at least 1 item")
                .anyMatch(line -> line.startsWith("clean: job left out: this project refuses scriptCommandLine"));
    }

    @Test
    void failoverWithoutRecordsIsLeftOut() throws IOException {
        MigrationFixture migration = orders("failover=\"true\" monitor-execution=\"false\"");

        assertThat(migration.yaml()).contains("monitor-execution: false").doesNotContain("failover");
        assertThat(migration.findings())
                .anyMatch(line -> line.startsWith("orders: changed: failover=true is left out"));
    }

    @Test
    void parametersOfItemsThatDoNotExistAreLeftOut() throws IOException {
        MigrationFixture migration = orders("sharding-item-parameters=\"0=a,5=f\"");

        assertThat(migration.yaml()).contains("sharding-item-parameters: 0=a\n");
        assertThat(migration.findings()).anyMatch(line -> line.contains("the parameters of items [5] are left out"));
    }

    @Test
    void handlersOfOnesOwnAreListed() throws IOException {
        MigrationFixture migration = orders(
                "job-exception-handler=\"a.H\" executor-service-handler=\"a.E\" job-sharding-strategy-class=\"a.S\"");

        assertThat(migration.findings())
                .filteredOn(line -> line.startsWith("orders: not converted"))
                .hasSize(3);
    }

    @Test
    void aDistributedListenerIsListedWithWhatTakesItsPlace() throws IOException {
        var migration = new MigrationFixture(folder).xml2("""
                <job:simple id="orders" class="shop.Orders" cron="0 0 1 * * ?" sharding-total-count="2">
                    <job:distributed-listener class="shop.Once" started-timeout-milliseconds="1000"
                        completed-timeout-milliseconds="2000"/>
                </job:simple>""");

        assertThat(migration.findings())
                .contains(
                        "orders: not converted: distributed-listener.class=\"shop.Once\" declare a ClusterJobListener"
                                + " bean, and override appliesTo if it is only for this job; it is called once for all"
                                + " instances, and its methods are called differently",
                        "orders: not converted: distributed-listener.started-timeout-milliseconds=\"1000\" a"
                                + " ClusterJobListener waits for nobody; before-first-timeout and after-last-timeout limit"
                                + " how long its own calls may take",
                        "orders: not converted: distributed-listener.completed-timeout-milliseconds=\"2000\" a"
                                + " ClusterJobListener waits for nobody; before-first-timeout and after-last-timeout limit"
                                + " how long its own calls may take");
        assertThat(Files.readString(Path.of("..", "docs", "reference", "settings.md")))
                .as("the settings that the text names")
                .contains("| `before-first-timeout` |", "| `after-last-timeout` |");
    }

    @Test
    void theDefaultHandlersOf2AreTheDefaultsHere() throws IOException {
        String handlers = "com.dangdang.ddframe.job.executor.handler.impl.Default";
        MigrationFixture migration = orders("job-exception-handler=\"" + handlers
                + "JobExceptionHandler\" executor-service-handler=\"" + handlers + "ExecutorServiceHandler\"");

        assertThat(migration.findings()).noneMatch(line -> line.contains("handler"));
        assertThat(migration.yaml()).doesNotContain("handler");
    }

    @Test
    void secretsAreNotInTheReport() throws IOException {
        var migration = new MigrationFixture(folder).xml3("""
                        <elasticjob:zookeeper id="r" server-lists="a:1" namespace="n" digest="user:hidden"/>
                        <elasticjob:job id="orders" job-ref="o" sharding-total-count="1" cron="0 0 1 * * ?"
                            job-error-handler-type="EMAIL">
                            <props><prop key="email.password">hidden</prop></props>
                        </elasticjob:job>
                        """);

        assertThat(MigrationFixture.text(migration.convert(), "report.txt"))
                .contains("email.password (value not shown)")
                .contains("digest (value not shown)")
                .doesNotContain("hidden");
    }

    @Test
    void aJobTypeThatIsNotBuiltInIsLeftOut() throws IOException {
        var migration = new MigrationFixture(folder)
                .xml3("<elasticjob:job id=\"x\" job-type=\"PYTHON\" sharding-total-count=\"1\" cron=\"0 0 1 * * ?\"/>");

        assertThat(migration.findings()).anyMatch(line -> line.startsWith("x: job left out: the type \"PYTHON\""));
    }

    @Test
    void theRegistryWithMostJobsIsConvertedOrTheOneThatIsAskedFor() throws IOException {
        String xml = """
                <reg:zookeeper id="one" server-lists="one:2181" namespace="a"/>
                <reg:zookeeper id="two" server-lists="two:2181" namespace="b"/>
                <job:simple id="x" class="a.X" registry-center-ref="one" cron="0 0 1 * * ?" sharding-total-count="1"/>
                <job:simple id="y" class="a.Y" registry-center-ref="two" cron="0 0 1 * * ?" sharding-total-count="1"/>
                <job:simple id="z" class="a.Z" registry-center-ref="two" cron="0 0 1 * * ?" sharding-total-count="1"/>
                """;
        var migration = new MigrationFixture(folder).xml2(xml);

        assertThat(migration.yaml()).contains("two:2181", "    y:", "    z:").doesNotContain("one:2181", "    x:");
        assertThat(migration.findings())
                .contains("x: job left out: it uses the registry \"one\". Convert it with --registry one");
        migration.with(MigrationOptions.DEFAULT.withRegistryId("one"));
        assertThat(migration.yaml()).contains("one:2181", "    x:").doesNotContain("two:2181", "    y:");
        migration.with(MigrationOptions.DEFAULT.withRegistryId("three"));
        assertThatThrownBy(migration::convert)
                .hasMessage("Expected one of the registries [one, two], but was \"three\"");
    }

    @Test
    void aProfileOfXmlStaysOne() throws IOException {
        var migration = new MigrationFixture(folder).xml2("""
                        <beans profile="dev,test">
                            <reg:zookeeper id="r" server-lists="local:2181" namespace="a"/>
                        </beans>
                        <beans profile="prod"><reg:zookeeper id="r" server-lists="zk:2181" namespace="a"/></beans>
                        """ + ORDERS.formatted("registry-center-ref=\"r\""));

        assertThat(migration.yaml())
                .contains("on-profile: dev | test", "on-profile: prod", "connect-string: local:2181")
                .contains("    orders:");
    }

    @Test
    void aClassWithSeveralJobsGetsABeanForEach() throws IOException {
        String job = "<job:simple id=\"%s\" class=\"shop.Copy\" cron=\"0 0 1 * * ?\" sharding-total-count=\"1\"/>";
        var migration = new MigrationFixture(folder)
                .xml2(job.formatted("copy-a") + job.formatted("copy-b"))
                .with(MigrationOptions.DEFAULT.withPlacement(SettingsPlacement.ANNOTATIONS));

        assertThat(MigrationFixture.text(migration.convert(), "annotations.txt"))
                .contains("// shop.Copy has several jobs")
                .contains("@ElasticJob(name = \"copy-b\", cron = \"0 0 1 * * ?\", shardingTotalCount = 1)")
                .contains("Copy copy_bJob() {");
    }

    @Test
    void anAnnotationCannotHoldAPlaceholderForANumber() throws IOException {
        MigrationFixture migration = new MigrationFixture(folder)
                .xml2("<job:simple id=\"x\" class=\"a.X\" cron=\"${cron}\" sharding-total-count=\"${items}\"/>")
                .with(MigrationOptions.DEFAULT.withPlacement(SettingsPlacement.ANNOTATIONS));

        assertThat(migration.yaml()).contains("sharding-total-count: ${items}").doesNotContain("cron");
        assertThat(MigrationFixture.text(migration.convert(), "annotations.txt"))
                .contains("@ElasticJob(name = \"x\", cron = \"${cron}\")");
    }

    @Test
    void twoJobsOfOneNameAreNotMerged() throws IOException {
        var migration = new MigrationFixture(folder).xml2(ORDERS.formatted("")).xml2(ORDERS.formatted(""));

        assertThat(migration.findings())
                .anyMatch(line -> line.startsWith("orders: job left out: a job of this name is in"));
    }

    @Test
    void propertiesOfOthersAreCounted() throws IOException {
        var migration = new MigrationFixture(folder)
                .source("application.properties", "a=b\nc=d\nelasticjob.jobs.x.cron=0 0 1 * * ?\nelasticjob.typo=1\n");

        assertThat(migration.findings())
                .anyMatch(line -> line.contains("2 properties don't begin with \"elasticjob.\""))
                .contains("not converted: typo=\"1\" no key that this converter knows; check its spelling");
    }

    @Test
    void namesThatOnlyPunctuationTellsApartAreInBrackets() throws IOException {
        String job = "<job:simple id=\"%s\" class=\"a.X%s\" cron=\"0 0 1 * * ?\" sharding-total-count=\"1\"/>";
        var migration = new MigrationFixture(folder).xml2(job.formatted("my-job", 1) + job.formatted("my_job", 2));

        assertThat(migration.yaml()).contains("'[my-job]':", "'[my_job]':");
    }

    @Test
    void aJobWhoseNameIsAPlaceholderIsLeftOutBecauseNobodyWouldResolveTheKey() throws IOException {
        var migration = new MigrationFixture(folder).xml3("""
                <elasticjob:job id="${myJob.id}" job-ref="myJob" sharding-total-count="3" cron="${myJob.cron}"/>
                <elasticjob:job id="#{names.clean}" job-type="SCRIPT" sharding-total-count="3" cron="0 0 3 * * ?">
                    <props><prop key="script.command.line">true</prop></props>
                </elasticjob:job>
                """);

        assertThat(migration.yaml()).doesNotContain("myJob", "names.clean");
        assertThat(migration.findings())
                .filteredOn(line -> line.contains("job left out: its name is a placeholder"))
                .hasSize(2);
        assertThat(migration.convert().isComplete()).isFalse();
    }

    @Test
    void propertiesInUtf8AreReadAsWhatAnEditorShowsAndTheReportSaysSo() throws IOException {
        var migration = new MigrationFixture(folder).source("application.properties", """
                elasticjob.jobs.orders.elasticJobClass=a.Orders
                elasticjob.jobs.orders.description=订单
                elasticjob.jobs.orders.job-parameter=\\u8ba2
                """);

        assertThat(migration.yaml())
                .contains("description: 订单", "job-parameter: 订")
                .doesNotContain("!!binary");
        assertThat(migration.findings())
                .filteredOn(line -> line.contains("ISO-8859-1"))
                .singleElement()
                .asString()
                .contains("ElasticJob had other characters in \"elasticjob.jobs.orders.description\"");
    }

    @Test
    void aControlCharacterIsEscapedAndNoBinaryData() throws IOException {
        var migration = new MigrationFixture(folder).source("job.json", """
                {"jobName":"orders","jobClass":"a.Orders","cron":"0 0 1 * * ?","shardingTotalCount":1,
                "jobParameter":"a\\u0001b\\u0085c"}""");

        assertThat(migration.yaml()).contains("job-parameter: \"a\\x01b\\Nc\"");
    }

    @ParameterizedTest
    @CsvSource({
        "org.apache.shardingsphere.elasticjob.simple.job.SimpleJob, // the class of the job \"orders\"",
        "org.apache.shardingsphere.elasticjob.dataflow.job.DataflowJob, '// the class of the job \"orders\", a DataflowJob'",
    })
    void theInterfaceOfElasticJobIsNoClassToAnnotate(String type, String place) throws IOException {
        var migration = new MigrationFixture(folder).source("application.yml", """
                elasticjob:
                  jobs:
                    orders:
                      elastic-job-class: %s
                      cron: 0 0 1 * * ?
                """.formatted(type));

        assertThat(MigrationFixture.text(migration.convert(), "annotations.txt"))
                .contains(place + "\n@ElasticJob");
        assertThat(migration.findings())
                .anyMatch(line -> line.startsWith("orders: check: elastic-job-class=\"" + type
                        + "\" is Elastic-Job's own: annotate the class that implements it"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0=A,1=B, | 0=A,1=B,", "0=A,1=B,, | 0=A,1=B,,", "0=A,0=B | 0=B", "0=A= | 0=A", "0=A | 0=A"})
    void itemParametersMeanWhatTheyMeantInElasticJob(String there, String here) throws IOException {
        MigrationFixture migration = orders("sharding-item-parameters=\"" + there + "\"");

        assertThat(migration.yaml()).contains("sharding-item-parameters: " + here + "\n");
        assertThat(migration.convert().isComplete()).isTrue();
        assertThat(migration.findings().stream().filter(line -> line.contains("as Elastic-Job reads it")))
                .hasSize(there.equals(here) ? 0 : 1);
    }

    @Test
    void aParameterThatDoesNotFitIntoTheArgumentOfAScriptIsLeftOut() throws IOException {
        var migration = new MigrationFixture(folder)
                .xml2(
                        "<job:script id=\"clean\" cron=\"0 0 1 * * ?\" sharding-total-count=\"1\" script-command-line=\"true\""
                                + " job-parameter=\"" + "订".repeat(25_000) + "\"/>");

        assertThat(migration.findings())
                .anyMatch(line -> line.startsWith("clean: job left out: this project refuses jobParameter is"));
    }

    @Test
    void aKeyThatIsThereTwiceIsListedWithBothValues() throws IOException {
        var properties = new MigrationFixture(folder)
                .source("a.properties", "elasticjob.jobs.x.cron=0 0 1 * * ?\nelasticjob.jobs.x.cron=0 0 2 * * ?\n");
        var yaml = new MigrationFixture(folder)
                .source("b.yml", "elasticjob.jobs.x:\n  description: one\n  description: two\n");

        assertThat(properties.findings())
                .contains(
                        "x: check: cron=\"0 0 2 * * ?\" cron is there twice, with \"0 0 1 * * ?\" too; this one was used");
        assertThat(yaml.findings())
                .contains(
                        "x: check: description=\"two\" description is there twice, with \"one\" too; this one was used");
    }

    @Test
    void whatIsNoTextInYamlIsWhatSpringBootMakesOfIt() throws IOException {
        var migration = new MigrationFixture(folder)
                .source("a.yml", "elasticjob.jobs.x:\n  sharding-total-count: 010\n  job-parameter: 1:30\n");

        assertThat(MigrationFixture.text(migration.convert(), "a.yml"))
                .contains("sharding-total-count: 8\n", "job-parameter: '90'\n");
        assertThat(migration.findings())
                .contains(
                        "check: \"1:30\" is \"90\" in YAML, unless it is in quotes; so it was in ElasticJob, and is here");
    }

    @Test
    void profilesInAListStayAndOtherConditionsAreListed() throws IOException {
        var migration = new MigrationFixture(folder).source("application.yml", """
                spring.config.activate.on-profile: [dev, test]
                elasticjob.jobs.x.cron: 0 0 1 * * ?
                ---
                spring.config.activate.on-cloud-platform: kubernetes
                elasticjob.jobs.x.cron: 0 0 2 * * ?
                """);

        assertThat(migration.yaml()).contains("on-profile: dev,test");
        assertThat(migration.findings())
                .contains(
                        "not converted: the condition spring.config.activate.on-cloud-platform=kubernetes is not in the"
                                + " produced document: add it by hand");
    }

    @Test
    void whatXmlDeclaresElsewhereOrOtherwiseIsListed() throws IOException {
        var migration = new MigrationFixture(folder).xml2("""
                <import resource="more-jobs.xml"/>
                <bean class="com.dangdang.ddframe.job.lite.spring.api.SpringJobScheduler"/>
                <job:bean id="old" class="a.Old" cron="0 0 1 * * ?"/>
                """ + ORDERS.formatted(""));

        assertThat(migration.findings())
                .anyMatch(
                        line -> line.startsWith("check: the file \"more-jobs.xml\" that is imported here was not read"))
                .anyMatch(line -> line.startsWith("not converted: a bean of the class com.dangdang"))
                .anyMatch(line -> line.startsWith("not converted: <bean id=\"old\"> is no element of 2.x or 3.x"));
    }

    @Test
    void aNamespaceThatIsRefusedAtStartupIsNoSuccess() throws IOException {
        var migration = new MigrationFixture(folder)
                .source("application.yml", "elasticjob.reg-center: {server-lists: 'a:1', namespace: a//b}\n");

        assertThat(migration.convert().isComplete()).isFalse();
        assertThat(migration.findings()).anyMatch(line -> line.startsWith("refused at startup: "));
    }

    @Test
    void aTimeZoneOfJavasOldClassIsWrittenAsTheNewOneReadsIt() throws IOException {
        var migration = new MigrationFixture(folder)
                .xml3("<elasticjob:job id=\"x\" job-ref=\"y\" sharding-total-count=\"1\" cron=\"0 0 1 * * ?\""
                        + " time-zone=\"GMT+8:00\"/>");

        assertThat(migration.yaml()).contains("time-zone: GMT+08:00\n");
        assertThat(migration.findings()).contains("x: changed: time-zone=\"GMT+8:00\" is \"GMT+08:00\" here");
    }
}
