package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.JobErrorHandler;
import dev.elasticjob.job.ShardingStrategy;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.memory.InMemoryEnsemble;
import dev.elasticjob.registry.memory.InMemoryRegistry;
import dev.elasticjob.spring.ElasticJob;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/** What an operator reads when the application doesn't start. */
@ExtendWith(OutputCaptureExtension.class)
class StartUpReportTest {
    @Test
    void nothingSaysWhereZooKeeperIs(CapturedOutput output) {
        start(OneJob.class);

        assertThat(output).contains("""
                ***************************
                APPLICATION FAILED TO START
                ***************************

                Description:

                This application has jobs and needs ZooKeeper, but the property "elasticjob.registry.connect-string" is not set.

                Action:

                Set "elasticjob.registry.connect-string" to your servers, for example "zk1:2181,zk2:2181", or declare a CuratorFramework bean. To try things without a server, set "elasticjob.registry.embedded.enabled" to true. To run without jobs, set "elasticjob.enabled" to false.
                """);
    }

    @Test
    void zooKeeperCannotBeReached(CapturedOutput output) throws IOException {
        int port = portThatNobodyListensOn();

        start(
                OneJob.class,
                "--elasticjob.registry.connect-string=127.0.0.1:" + port,
                "--elasticjob.registry.connection-timeout=200ms");

        assertThat(output).contains("""
                Description:

                No ZooKeeper server answered at "127.0.0.1:%d" within 200 ms.

                Action:

                Check that the servers are running and reachable from here, and that "elasticjob.registry.connect-string" names them. If they are slow to answer, raise "elasticjob.registry.connection-timeout".
                """.formatted(port));
    }

    @Test
    void settingsOfTheRegistryAreWrong(CapturedOutput output) {
        start(
                OneJob.class,
                "--elasticjob.registry.connect-string=127.0.0.1:2181",
                "--elasticjob.registry.session-timeout=0s");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("\"elasticjob.registry.session-timeout\" must be");
    }

    @Test
    void whatBecomesOfExecutionsWithoutASessionIsUnknown(CapturedOutput output) {
        start(OneJob.class, "--elasticjob.on-session-loss=carry-on");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "    - Property \"elasticjob.on-session-loss\" (\"elasticjob.on-session-loss\" from property source"
                                + " \"commandLineArgs\") is \"carry-on\": expected one of interrupt, continue.");
    }

    @Test
    void sessionIsTooShortForTheServersTick(CapturedOutput output) {
        start(OnMemory.class, "--elasticjob.registry.server-tick=8s");

        assertThat(output).contains("""
                Description:

                A session timeout of at least 24 s was expected, three ticks of the ZooKeeper servers ("elasticjob.registry.server-tick", 8 s), but the servers granted 20 s: no item could run safely.

                Action:

                Set "elasticjob.registry.session-timeout", or the session timeout of the application's own CuratorFramework, to 24 s or more. If it already is, the servers grant less than requested: raise their "maxSessionTimeout". If the servers' "tickTime" is shorter than 8 s, set "elasticjob.registry.server-tick" to it.
                """);
    }

    @Test
    void tickOfTheServersIsNone(CapturedOutput output) {
        start(OnMemory.class, "--elasticjob.registry.server-tick=0s");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("\"elasticjob.registry.server-tick\" must be at least 1 ms, but is 0 ms");
    }

    @Test
    void aWorkerThatIsIdleForNoTime(CapturedOutput output) {
        start(OnMemory.class, "--elasticjob.worker.idle-after=0s");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("\"elasticjob.worker.idle-after\" must be at least 1 ms, but is 0 ms");
    }

    @Test
    void aDemandThatWouldBeReadAllTheTime(CapturedOutput output) {
        start(OnMemory.class, "--elasticjob.metrics.demand-interval=0s");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("\"elasticjob.metrics.demand-interval\" must be at least 1 ms, but is 0 ms");
    }

    @Test
    void noItemCouldRun(CapturedOutput output) {
        start(OnMemory.class, "--elasticjob.executor.max-threads=0");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("\"elasticjob.executor.max-threads\" must be at least 1, but is 0");
    }

    @Test
    void shutdownTimeoutIsNegative(CapturedOutput output) {
        start(OnMemory.class, "--elasticjob.shutdown-timeout=-1s");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("\"elasticjob.shutdown-timeout\" must not be negative, but is -1 s");
    }

    @Test
    void cronAndCountAreWrong(CapturedOutput output) {
        start(OneJob.class, "--elasticjob.jobs.orders.cron=daily", "--elasticjob.jobs.orders.sharding-total-count=0");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("    - Job \"orders\": cron is \"daily\": expected six fields")
                .contains("It comes from the property \"elasticjob.jobs.orders.cron\".")
                .contains("    - Job \"orders\": shardingTotalCount is \"0\": a job needs at least 1 item."
                        + " It comes from the property \"elasticjob.jobs.orders.sharding-total-count\".");
    }

    @Test
    void cronOfTheAnnotationMeansOtherDaysInQuartz(CapturedOutput output) {
        start(FridayOfQuartz.class);

        assertThat(output).contains(FridayOfQuartz.refused());
    }

    @Test
    void cronOfAPropertyMeansOtherDaysInQuartz(CapturedOutput output) {
        start(OneJob.class, "--elasticjob.jobs.orders.cron=" + FridayOfQuartz.CRON);

        assertThat(output).contains(FridayOfQuartz.refused());
    }

    @Test
    void aCountOfZeroSaysNothingOfTheItemsParameters(CapturedOutput output) {
        start(
                OneJob.class,
                "--elasticjob.jobs.orders.sharding-total-count=0",
                "--elasticjob.jobs.orders.sharding-item-parameters=0=a,1=b,2=c");

        assertThat(output)
                .contains("    - Job \"orders\": shardingTotalCount is \"0\": a job needs at least 1 item.")
                .doesNotContain("there is no item");
    }

    @Test
    void stackTracesDoNotHideTheReportOfAHostThatCannotBeResolved(CapturedOutput output) throws IOException {
        int port = portThatNobodyListensOn();

        start(
                OneJob.class,
                "--elasticjob.registry.connect-string=127.0.0.1:%d,not..there:2181".formatted(port),
                "--elasticjob.registry.connection-timeout=1s");

        assertThat(output)
                .contains(
                        "No ZooKeeper server answered at \"127.0.0.1:%d,not..there:2181\" within 1 s. These host names can't be resolved: not..there."
                                .formatted(port))
                .doesNotContain("\tat ");
    }

    @Test
    void twoJobsHaveOneName(CapturedOutput output) {
        start(Namesakes.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "    - Job \"orders\" is declared by 2 beans: \"first\" (%1$s.first()) and \"second\" (%1$s.second())."
                                .formatted(Namesakes.class.getName()));
    }

    @Test
    void parametersOfItemsAreWrong(CapturedOutput output) {
        start(OneJob.class, "--elasticjob.jobs.orders.sharding-item-parameters=0=a,5=b,x=c,d,0=e");

        String found = "    - Job \"orders\": shardingItemParameters is \"0=a,5=b,x=c,d,0=e\": ";
        String place = ". It comes from the property \"elasticjob.jobs.orders.sharding-item-parameters\".";
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(found + "there is no item 5; with shardingTotalCount 1 the items are 0 to 0" + place)
                .contains(found + "\"x\" in \"x=c\" is not an item number" + place)
                .contains(
                        found + "\"d\" has no '=': write pairs such as 0=a,1=b (a value can't contain a comma)" + place)
                .contains(found + "item 0 appears twice: keep one of the two" + place);
    }

    @Test
    void nameOfAJobCannotBeANodesName(CapturedOutput output) {
        start(UnspeakableNames.class);

        String first = UnspeakableNames.class.getName() + ".slash()";
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "    - Job \"or/ders\": jobName is \"or/ders\": the name becomes a node in ZooKeeper, so it must"
                                + " not contain '/'. It is the name in @ElasticJob of " + first + ".")
                .contains(
                        "    - Job \"zookeeper\": jobName is \"zookeeper\": ZooKeeper reserves this name; choose another"
                                + " one.")
                .contains("ZooKeeper doesn't allow the character U+0007 in a name; remove it.");
    }

    @Test
    void unknownSettingsStandBesideTheOtherProblems(CapturedOutput output) {
        start(
                OneJob.class,
                "--elasticjob.registry.conect-string=localhost",
                "--elasticjob.jobs.orders.sharding-total-cnt=3",
                "--elasticjob.jobs.orders.cron=daily");

        String origin = " (\"%1$s\" from property source \"commandLineArgs\") is unknown. Did you mean \"%2$s\"?";
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("    - Property \"elasticjob.registry.conect-string\""
                        + origin.formatted("elasticjob.registry.conect-string", "elasticjob.registry.connect-string"))
                .contains("    - Property \"elasticjob.jobs.orders.sharding-total-cnt\""
                        + origin.formatted(
                                "elasticjob.jobs.orders.sharding-total-cnt",
                                "elasticjob.jobs.orders.sharding-total-count"))
                .contains("    - Job \"orders\": cron is \"daily\"")
                .contains("docs/reference/settings.md lists all settings");
    }

    @Test
    void nameOfAJobWithDotsNeedsBrackets(CapturedOutput output) {
        start(
                OneJob.class,
                "--elasticjob.jobs.my.job.cron=0 0 1 * * ?",
                "--elasticjob.jobs.my.other.job.retry.delay=1s",
                "--elasticjob.jobs.orders.retry.timeout=1s");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("is unknown. If the dots belong to the job's name, write the name in brackets:"
                        + " \"elasticjob.jobs[my.job].cron\".")
                .contains("\"elasticjob.jobs[my.other.job].retry.delay\".")
                .contains("    - Property \"elasticjob.jobs.orders.retry.timeout\"")
                .doesNotContain("[orders.retry]")
                .doesNotContain("that no bean declares");
    }

    @Test
    void propertiesAreOfAJobWithoutABean(CapturedOutput output) {
        start(
                OneJob.class,
                "--elasticjob.jobs.ordres.sharding-total-count=3",
                "--elasticjob.fail-on-unknown-jobs=true");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "    - Property \"elasticjob.jobs.ordres\" is for a job that no bean declares. Did you mean \"orders\"?"
                                + " The declared jobs are: orders.");
    }

    @Test
    void strategiesOfSeveralJobsDoNotExist(CapturedOutput output) {
        start(Strategists.class, "--elasticjob.jobs.second.job-sharding-strategy-class=FAIR");

        String known =
                "there is no such strategy; expected one of AVG_ALLOCATION, ODEVITY, ROUND_ROBIN, STICKY, ZONE, WEIGHTED, SPREAD, MEASURED, ours,";
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("    - Job \"first\": jobShardingStrategyClass is \"AVERAGE\": " + known)
                .contains("It comes from @ElasticJob of " + Strategists.class.getName() + ".first(); the property"
                        + " \"elasticjob.jobs.first.job-sharding-strategy-class\" overrides it.")
                .contains("    - Job \"second\": jobShardingStrategyClass is \"FAIR\": " + known)
                .contains("It comes from the property \"elasticjob.jobs.second.job-sharding-strategy-class\".")
                .doesNotContain("Job \"third\"")
                .doesNotContain("Job \"fourth\"");
    }

    @Test
    void handlersAndPoliciesOfAJobAreWrong(CapturedOutput output) {
        start(
                Handled.class,
                "--elasticjob.jobs.orders.executor-service-handler=pool",
                "--elasticjob.jobs.orders.retry.max-attempts=0");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "jobExceptionHandler is \"MAIL\": there is no such error handler; expected one of LOG, IGNORE, THROW,"
                                + " mailing, Elastic-Job 2.1.5's default class name")
                .contains(
                        "executorServiceHandler is \"pool\": there is no such executor; expected one of these beans: slow.")
                .contains("It comes from the property \"elasticjob.jobs.orders.executor-service-handler\".")
                .contains("retry.maxAttempts is \"0\": expected at least 1")
                .contains("It comes from the property \"elasticjob.jobs.orders.retry.max-attempts\".")
                .contains("Job \"legacy\": jobExceptionHandler is \"com.example.Mailing\"");
    }

    @Test
    void nameOfAStrategyIsTaken(CapturedOutput output) {
        start(NamesakeOfAStrategy.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("A sharding strategy can't be named \"STICKY\"");
    }

    @Test
    void noAddressIsOnThePreferredNetwork(CapturedOutput output) {
        start(OnMemory.class, "--elasticjob.instance.preferred-network=198.51.100.0/24");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "\"elasticjob.instance.preferred-network\" is \"198.51.100.0/24\", but this machine has no address"
                                + " there; it has ");
    }

    @Test
    void severalEnginesAreThereAndNothingTellsWhichIsMeant(CapturedOutput output) {
        start(TwoEngines.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "This application has several ElasticJobEngine beans, and none is marked to run its jobs: [one,"
                                + " two].")
                .contains("Mark the one that runs the @ElasticJob beans as @Primary,");
    }

    @Test
    void severalRegistriesAreThereAndNothingTellsWhichIsMeant(CapturedOutput output) {
        start(TwoRegistries.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("This application has several Registry beans, and none is marked as that of its @ElasticJob"
                        + " beans: [one, two].")
                .contains("Mark its bean as @Primary, or declare the others with @Bean(defaultCandidate = false).");
    }

    @Test
    void engineOfTheApplicationDoesNotHaveTheStrategy(CapturedOutput output) {
        start(OwnEngine.class, "--elasticjob.jobs.orders.job-sharding-strategy-class=FAIR");

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("The definition of job \"orders\" is invalid:")
                .contains("  - jobShardingStrategyClass is \"FAIR\": there is no such strategy; expected one of")
                .contains("Correct the settings listed above, in @ElasticJob or below \"elasticjob.jobs.orders\".");
    }

    @Test
    void anInstanceOfElasticJob2IsInTheJob(CapturedOutput output) {
        start(BesideElasticJob2.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("Expected no instances of other software")
                .contains("\"10.0.0.9@-@1\" (Elastic-Job 2.x)")
                .contains("Stop the instances named above");
    }

    private static int portThatNobodyListensOn() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void start(Class<?> application, String... arguments) {
        var spring = new SpringApplication(application);
        spring.setWebApplicationType(WebApplicationType.NONE);

        assertThatException().isThrownBy(() -> spring.run(arguments).close());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OneJob {
        @Bean
        @ElasticJob(name = "orders", cron = "0/5 * * * * ?")
        SimpleJob orders() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class FridayOfQuartz {
        static final String CRON = "0 0 9 ? * 6L 2027";

        /** As wherever a cron expression comes from. */
        static String refused() {
            return "cron is \"%s\": %s"
                    .formatted(
                            CRON, Schedule.problemOfCron(CRON, ZoneOffset.UTC).orElseThrow());
        }

        @Bean
        @ElasticJob(name = "orders", cron = CRON)
        SimpleJob orders() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Namesakes {
        @Bean
        @ElasticJob(name = "orders", cron = "0/5 * * * * ?")
        SimpleJob first() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "orders", cron = "0/5 * * * * ?")
        SimpleJob second() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class UnspeakableNames {
        @Bean
        @ElasticJob(name = "or/ders", cron = "0/5 * * * * ?")
        SimpleJob slash() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "zookeeper", cron = "0/5 * * * * ?")
        SimpleJob reserved() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "ring\u0007", cron = "0/5 * * * * ?")
        SimpleJob bell() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Handled {
        @Bean
        JobErrorHandler mailing() {
            return (job, cause) -> {};
        }

        @Bean
        Executor slow() {
            return new SimpleAsyncTaskExecutor();
        }

        @Bean
        @ElasticJob(name = "orders", cron = "0/5 * * * * ?", jobExceptionHandler = "MAIL")
        SimpleJob orders() {
            return context -> {};
        }

        @Bean
        @ElasticJob(
                name = "legacy",
                cron = "0/5 * * * * ?",
                jobProperties = "job_exception_handler=com.example.Mailing")
        SimpleJob legacy() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Strategists {
        @Bean
        ShardingStrategy ours() {
            return request -> Map.of();
        }

        @Bean
        @ElasticJob(name = "first", cron = "0/5 * * * * ?", jobShardingStrategyClass = "AVERAGE")
        SimpleJob first() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "second", cron = "0/5 * * * * ?")
        SimpleJob second() {
            return context -> {};
        }

        @Bean
        @ElasticJob(
                name = "third",
                cron = "0/5 * * * * ?",
                jobShardingStrategyClass =
                        "com.dangdang.ddframe.job.lite.api.strategy.impl.OdevitySortByNameJobShardingStrategy")
        SimpleJob third() {
            return context -> {};
        }

        @Bean
        @ElasticJob(name = "fourth", cron = "0/5 * * * * ?", jobShardingStrategyClass = "ours")
        SimpleJob fourth() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OnMemory extends OneJob {
        @Bean
        Registry registry() {
            return new InMemoryRegistry(
                    new InMemoryEnsemble(Clock.systemUTC()), new SimpleAsyncTaskExecutor("registry-"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BesideElasticJob2 extends OneJob {
        @Bean
        Registry registry() {
            var ensemble = new InMemoryEnsemble(Clock.systemUTC());
            var other = new InMemoryRegistry(ensemble, Runnable::run);
            var tree = new JobTree("orders");
            other.commit(
                    other.session().orElseThrow(),
                    RegistryCommit.builder()
                            .create(tree.root())
                            .create(tree.instances())
                            .createEphemeral(tree.instance("10.0.0.9@-@1"), "")
                            .build());
            return new InMemoryRegistry(ensemble, new SimpleAsyncTaskExecutor("registry-"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NamesakeOfAStrategy extends OnMemory {
        @Bean(name = "STICKY")
        ShardingStrategy ours() {
            return request -> Map.of();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnEngine extends OnMemory {
        @Bean
        ElasticJobEngine one(Registry registry) {
            return ElasticJobEngine.builder(registry).build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoRegistries extends OneJob {
        @Bean
        Registry one() {
            return new InMemoryRegistry(
                    new InMemoryEnsemble(Clock.systemUTC()), new SimpleAsyncTaskExecutor("registry-"));
        }

        @Bean
        Registry two() {
            return new InMemoryRegistry(
                    new InMemoryEnsemble(Clock.systemUTC()), new SimpleAsyncTaskExecutor("registry-"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoEngines extends OwnEngine {
        @Bean
        ElasticJobEngine two(Registry registry) {
            return ElasticJobEngine.builder(registry).build();
        }
    }
}
