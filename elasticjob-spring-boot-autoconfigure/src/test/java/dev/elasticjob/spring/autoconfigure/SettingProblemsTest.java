package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import dev.elasticjob.spring.alert.AlertAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalyzedException;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.MapPropertySource;

/** One report has everything that is wrong with the settings. */
@ExtendWith(OutputCaptureExtension.class)
class SettingProblemsTest {
    private static final String JOB = "elasticjob.jobs.orders.";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    PropertyPlaceholderAutoConfiguration.class, ElasticJobAutoConfiguration.class))
            .withUserConfiguration(OnMemory.class, Jobs.class);

    // ------------------------------------------------------------------ all at once

    @Test
    void everyValueOfTheWrongTypeIsInOneReport() {
        Map<String, String> wrong = values(setting -> switch (setting.kind()) {
            case "`true` or `false`" -> Optional.of("yess");
            case "whole number", "number" -> Optional.of("three");
            case "duration" -> Optional.of("soon");
            case "time zone" -> Optional.of("Mars/Olympus");
            case "list of classes" -> Optional.of("com.example.Nowhere");
            case "map" -> Optional.empty();
            default ->
                setting.type().contains("$") || setting.type().startsWith("dev.")
                        ? Optional.of("nope")
                        : Optional.empty();
        });

        List<String> report = report(wrong);

        assertThat(wrong).hasSizeGreaterThan(60);
        wrong.forEach((property, value) -> assertThat(report)
                .as(property)
                .filteredOn(line -> line.contains("\"" + property + "\"") && line.contains("is \"" + value + "\""))
                .singleElement()
                .asString()
                .contains("\": expected "));
    }

    @Test
    void aSwitchMeansWhatSpringBootBinds() {
        runner.withPropertyValues("elasticjob.enabled=off")
                .run(context -> assertThat(context).doesNotHaveBean(JobAdmin.class));
        runner.withPropertyValues("elasticjob.enabled=1", "elasticjob.events.publish=no")
                .run(context ->
                        assertThat(context).hasSingleBean(JobAdmin.class).doesNotHaveBean(JobEventPublisher.class));
    }

    @Test
    void everyNumberAndDurationThatNothingCanWorkWithIsInOneReport() {
        Map<String, String> negative = values(setting -> isAnyNumberRight(setting)
                ? Optional.empty()
                : switch (setting.kind()) {
                    case "whole number", "number" -> Optional.of("-7");
                    case "duration" -> Optional.of("-7s");
                    default -> Optional.empty();
                });

        List<String> report = reportOnServer(negative);

        assertThat(negative).hasSizeGreaterThan(30);
        negative.keySet()
                .forEach(property -> assertThat(report)
                        .as(property)
                        .filteredOn(line -> line.contains("\"" + property + "\"") || line.contains(camelCase(property)))
                        .isNotEmpty());
    }

    @Test
    void problemsOfSettingsJobsConnectionAndGroupsStandInOneReport() {
        assertThat(reportOnServer(Map.of(
                        "elasticjob.executor.max-threads", "0",
                        "elasticjob.shutdown-timeout", "-1s",
                        "elasticjob.rebalance-delay", "2h",
                        "elasticjob.registry.session-timeout", "-1s",
                        "elasticjob.registry.ssl.bundle", "nowhere",
                        "elasticjob.registry.acl", "everybody",
                        "elasticjob.alerts.slack.url", "ftp",
                        "elasticjob.registry-jobs.allowed-beans", "nothing",
                        "elasticjob.jobs.orders.job-type", "skript",
                        "elasticjob.jobs.orders.sharding-total-count", "0")))
                .anyMatch(line -> line.contains("\"elasticjob.executor.max-threads\" must be at least 1, but is 0"))
                .anyMatch(line -> line.contains("\"elasticjob.shutdown-timeout\" must not be negative, but is -1 s"))
                .anyMatch(line -> line.contains("\"elasticjob.rebalance-delay\" must be at most 1 h, but is 2 h"))
                .anyMatch(line -> line.contains("\"elasticjob.registry.session-timeout\" must be 1 ms to"))
                .anyMatch(line -> line.contains("names the SSL bundle \"nowhere\", but there is none of that name"))
                .anyMatch(line -> line.contains("\"elasticjob.registry.acl\"") && line.contains("expected one of"))
                .anyMatch(line -> line.contains("the property \"elasticjob.registry.connect-string\" is not set"))
                .anyMatch(line -> line.contains("\"elasticjob.alerts.slack.url\" was expected to be"))
                .anyMatch(line -> line.contains("\"elasticjob.registry-jobs.allowed-beans\" contains \"nothing\""))
                .anyMatch(line -> line.contains(
                        "is \"skript\": expected one of simple, dataflow, script, http (did you mean \"script\"?)"))
                .anyMatch(line -> line.contains("Job \"orders\": shardingTotalCount is \"0\""));
    }

    @Test
    void aCapacityOfNothingIsReportedAndWhatToSetInstead() {
        assertThat(reportOnServer(Map.of("elasticjob.worker.capacity", "0")))
                .anyMatch(line ->
                        line.contains("\"elasticjob.worker.capacity\" must be at least 1, but is 0: set it to the"
                                + " weight of what may run at once, or remove it for no limit."));
    }

    @Test
    void aSelectorThatCanNotBeParsedIsReportedWithItsPlaceAndThePosition() {
        assertThat(report(Map.of(JOB + "run-on", "zone in a")))
                .anyMatch(line ->
                        line.contains("Job \"orders\": runOn is \"zone in a\": expected ( and values, such as (a,b);"
                                        + " found \"a\" at position 9 of \"zone in a\". It comes from")
                                && line.contains("\"elasticjob.jobs.orders.run-on\""));
        runner.withUserConfiguration(Choosing.class)
                .run(context -> assertThat(reported(context))
                        .contains(
                                "Job \"choosing\": runOn is \"zone in a\": expected ( and values, such as (a,b); found"
                                        + " \"a\" at position 9 of \"zone in a\". It comes from @ElasticJob of "
                                        + Choosing.class.getName() + ".choosing()"));
    }

    @Test
    void everyDurationNeedsAUnit() {
        Map<String, String> bare =
                values(setting -> setting.kind().equals("duration") ? Optional.of("5") : Optional.empty());

        List<String> report = report(bare);

        assertThat(bare).hasSizeGreaterThan(25);
        bare.keySet()
                .forEach(property -> assertThat(report)
                        .as(property)
                        .filteredOn(line -> line.contains("\"" + property + "\""))
                        .singleElement()
                        .asString()
                        .contains("is \"5\": expected a duration with a unit: 5 what? Write 5s or 5m."));
    }

    @Test
    void everyDurationOfTheAnnotationNeedsAUnitToo() {
        runner.withUserConfiguration(WithoutUnits.class)
                .run(context -> assertThat(reported(context))
                        .contains(
                                "Job \"bare\": timeout is \"5\": expected a duration with a unit: 5 what? Write 5s or 5m")
                        .contains("Job \"bare\": retry.delay is \"-7\": expected a duration with a unit: -7 what?"));
    }

    @Test
    void zeroNeedsNoUnit() {
        runner.withPropertyValues(JOB + "timeout=0", JOB + "stuck-after=0", "elasticjob.tracing.retention=0")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void valuesOfSecretsAreNotShown() {
        assertThat(report(Map.of("elasticjob.secrets", "hush", "elasticjob.registry.digest", "shop:${hush}")))
                .anyMatch(
                        line -> line.contains("\"elasticjob.secrets\"") && line.contains("is a text that is not shown"))
                .anyMatch(line -> line.contains("\"elasticjob.registry.digest\"")
                        && line.contains("define the property \"hush\""))
                .noneMatch(line -> line.contains("shop:"));
    }

    // ------------------------------------------------------------------ placeholders

    @Test
    void everyPlaceholderThatNothingResolvesIsReportedAsOne() {
        Map<String, String> unresolved =
                values(setting -> setting.kind().equals("map") || isFreeText(setting) || isReadByACondition(setting)
                        ? Optional.empty()
                        : Optional.of("${nope}"));

        List<String> report = report(unresolved);

        unresolved
                .keySet()
                .forEach(property -> assertThat(report)
                        .as(property)
                        .filteredOn(line -> line.contains("\"" + property + "\""))
                        .anySatisfy(line -> assertThat(line)
                                .contains(
                                        "define the property \"nope\", correct the name, or give a value for when it is missing,"
                                                + " as in ${nope:value}.")));
    }

    @Test
    void inATextThatMayContainAnythingItIsAWarning(CapturedOutput output) {
        runner.withPropertyValues(JOB + "job-parameter=day=${day}", JOB + "description=\\${meant}")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output)
                            .containsPattern(
                                    "WARN.*Property \"elasticjob.jobs.orders.job-parameter\" .* is"
                                            + " \"day=\\$\\{day}\", and no property \"day\" exists: the job gets this text as it is.")
                            .doesNotContain("orders.description");
                });
    }

    @Test
    void aPlaceholderInTheNameOfAJobIsReported() {
        runner.withUserConfiguration(Unresolved.class)
                .withPropertyValues("elasticjob.jobs[${nope}].job-type=script")
                .run(context -> assertThat(reported(context))
                        .contains(
                                "The job's name \"${missing}-report\" contains a placeholder or an expression that has no"
                                        + " value (@ElasticJob of " + Unresolved.class.getName() + ".report()).")
                        .contains("The job's name \"${nope}\" contains a placeholder"));
    }

    // ------------------------------------------------------------------ names

    @ParameterizedTest
    @CsvSource({
        "elasticjob.registry.conect-string, elasticjob.registry.connect-string",
        "elasticjob.registery.namespace, elasticjob.registry.namespace",
        "elasticjob.session-timeout, elasticjob.registry.session-timeout",
        "elasticjob.registry.retry.max-retrys, elasticjob.registry.retry.max-retries",
        "elasticjob.jobs.orders.sharding-total-cont, elasticjob.jobs.orders.sharding-total-count",
        "elasticjob.jobs.orders.max-attempts, elasticjob.jobs.orders.retry.max-attempts",
        "elasticjob.jobs.orders.retry.delya, elasticjob.jobs.orders.retry.delay"
    })
    void whatWasProbablyMeantIsNamed(String written, String meant) {
        assertThat(report(Map.of(written, "5s")))
                .anyMatch(line -> line.contains("is unknown. Did you mean \"" + meant + "\"?"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "elasticjob.jobs.orders.timeout",
                "elasticjob.jobs.orders.every",
                "elasticjob.jobs.[a.b].sharding-total-count",
                "elasticjob.jobs.orders.retry.delay",
                "elasticjob.registry.session-timeout"
            })
    void anEmptyValueIsCalledSo(String setting) {
        assertThat(report(Map.of(setting, "")))
                .anyMatch(line -> line.contains("Property \"" + setting.replace(".[", "[") + "\"")
                        && line.endsWith(" has an empty value. Give it one, or remove the property."));
    }

    @Test
    void aSettingThatResemblesNoneIsJustUnknown() {
        assertThat(report(Map.of("elasticjob.colour", "blue")))
                .anyMatch(line -> line.endsWith("is unknown. Correct or remove it."));
    }

    @Test
    void aJobOfASimilarNameIsNamed(CapturedOutput output) {
        runner.withPropertyValues("elasticjob.jobs.ordres.cron=0 0 1 * * ?")
                .run(context -> assertThat(output)
                        .containsPattern("WARN.*Property \"elasticjob.jobs.ordres\" is for a job that no bean declares."
                                + " Did you mean \"orders\"?"));
    }

    @ParameterizedTest
    @CsvSource({
        "job-sharding-strategy-class, STIKY, STICKY",
        "job-sharding-strategy-class, round-robin, ROUND_ROBIN",
        "job-exception-handler, IGNROE, IGNORE"
    })
    void aStrategyOrHandlerOfASimilarNameIsNamed(String setting, String written, String meant) {
        assertThat(report(Map.of(JOB + setting, written)))
                .anyMatch(line -> line.contains("(did you mean \"" + meant + "\"?); expected one of"));
    }

    @Test
    void anSslBundleOfASimilarNameIsNamed() {
        assertThat(reportOnServer(Map.of(
                        "elasticjob.registry.ssl.bundle", "zookeper",
                        "spring.ssl.bundle.pem.zookeeper.truststore.certificate", "classpath:none.crt")))
                .anyMatch(line -> line.contains("names the SSL bundle \"zookeper\", but there is none of that name."
                        + " Did you mean \"zookeeper\"?"));
    }

    @Test
    void aParentOfASimilarNameIsNamed(CapturedOutput output) {
        runner.withUserConfiguration(Following.class)
                .run(context -> assertThat(output)
                        .containsPattern("WARN.*Job \"report\" runs after \"order\", which this application doesn't"
                                + " declare. Did you mean \"orders\"?")
                        .doesNotContain("\"invoices\", which this application"));
    }

    @Test
    void aListIsNoMapOfJobs() {
        assertThat(report(Map.of(
                        "elasticjob.jobs[0].name", "orders",
                        "elasticjob.jobs[0].job-type", "script",
                        "elasticjob.jobs[1].cron", "0 0 1 * * ?")))
                .anyMatch(line -> line.contains("Property \"elasticjob.jobs[0]\" is an element of a list, but"
                        + " \"elasticjob.jobs\" is a map from names to settings."))
                .anyMatch(line -> line.contains("Property \"elasticjob.jobs[1]\" is an element of a list"))
                .noneMatch(line -> line.contains("Job \"0\""));
    }

    @ParameterizedTest
    @CsvSource({"订单, cron", "订单, retry.delay", "отчёт, cron"})
    void aNameInAnotherScriptNeedsBrackets(String job, String setting) {
        assertThat(report(Map.of("elasticjob.jobs." + job + "." + setting, "1")))
                .anyMatch(line -> line.contains("elasticjob.jobs." + job + "." + setting)
                        && line.contains(
                                "write the name in brackets: \"elasticjob.jobs[" + job + "]." + setting + "\"."));
    }

    private List<String> report(Map<String, String> properties) {
        return report(runner, properties);
    }

    /** Of an application that would connect to a server. */
    private static List<String> reportOnServer(Map<String, String> properties) {
        return report(
                new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(
                                PropertyPlaceholderAutoConfiguration.class,
                                SslAutoConfiguration.class,
                                ElasticJobAutoConfiguration.class,
                                AlertAutoConfiguration.class))
                        .withUserConfiguration(Jobs.class),
                properties);
    }

    private static List<String> report(ApplicationContextRunner runner, Map<String, String> properties) {
        var lines = new ArrayList<String>();
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("test", Map.copyOf(properties))))
                .run(context -> reported(context).lines().forEach(lines::add));
        return lines;
    }

    private static String reported(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        Throwable root = NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure());
        assertThat(root).isInstanceOf(FailureAnalyzedException.class);
        return ((FailureAnalyzedException) root).analysis().getDescription();
    }

    private static Map<String, String> values(Function<DescribedProperty, Optional<String>> value) {
        var reference = new SettingsReference();
        Map<String, String> values = new TreeMap<>();
        Stream.concat(
                        reference.ofApplication().stream(),
                        reference.ofAJob().stream().map(setting -> setting.below(JOB)))
                .filter(setting -> setting.name().startsWith("elasticjob."))
                .forEach(setting -> value.apply(setting).ifPresent(found -> values.put(setting.name(), found)));
        return values;
    }

    /** Negative numbers have a meaning there. */
    private static boolean isAnyNumberRight(DescribedProperty setting) {
        return setting.name().matches(".*\\.(max-time-diff-seconds|reconcile-interval-minutes|monitor-port|http\\..*)");
    }

    /** Of a job's setting, as its violations name it. */
    private static String camelCase(String property) {
        return property.startsWith(JOB)
                ? new DescribedProperty(property.substring(JOB.length()), "", "", "").camelCase() + " is"
                : property;
    }

    private static boolean isFreeText(DescribedProperty setting) {
        String name = setting.name();
        return name.startsWith(JOB)
                && name.matches(
                        ".*\\.(job-parameter|sharding-item-parameters|description|script-command-line|http\\.body)");
    }

    /** Spring itself fails for these, before any bean is made, and names the placeholder. */
    private static boolean isReadByACondition(DescribedProperty setting) {
        return setting.name().matches("elasticjob\\.(alerts\\..*\\.(url|to)|start)");
    }

    @Configuration(proxyBeanMethods = false)
    static class Jobs {
        @Bean
        @ElasticJob(name = "orders")
        SimpleJob orders() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Following {
        @Bean
        @ElasticJob(
                name = "report",
                after = {"order", "invoices"})
        SimpleJob report() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutUnits {
        @Bean
        @ElasticJob(name = "bare", timeout = "5", retry = @ElasticJob.Retry(delay = "-7"))
        SimpleJob bare() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Choosing {
        @Bean
        @ElasticJob(name = "choosing", runOn = "zone in a")
        SimpleJob choosing() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Unresolved {
        @Bean
        @ElasticJob(name = "${missing}-report")
        SimpleJob report() {
            return context -> {};
        }
    }
}
