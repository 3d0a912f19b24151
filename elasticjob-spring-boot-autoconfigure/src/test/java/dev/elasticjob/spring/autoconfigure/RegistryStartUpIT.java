package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import dev.elasticjob.engine.ElasticJobEngine;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent.ItemFinished;
import dev.elasticjob.job.event.JobState;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.curator.CuratorRegistry;
import dev.elasticjob.registry.curator.RegistrySettings;
import dev.elasticjob.spring.ElasticJob;
import java.nio.charset.StandardCharsets;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.NameMatchMethodPointcutAdvisor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** What an operator reads when the registry holds something that stands in the way, on a real ZooKeeper. */
@ExtendWith(OutputCaptureExtension.class)
class RegistryStartUpIT {
    private final OnZooKeeper zooKeeper = new OnZooKeeper();

    @AfterEach
    void close() {
        zooKeeper.close();
    }

    @Test
    void namespaceBelongsToAnotherDigest(CapturedOutput output) {
        CuratorRegistry.connect(settings().withDigest("shop:secret")).close();

        assertThatException()
                .isThrownBy(() -> zooKeeper.start("a", TwoJobs.class, "--elasticjob.registry.digest=shop:guess"));

        assertThat(output).contains("""
                ***************************
                APPLICATION FAILED TO START
                ***************************

                Description:

                ZooKeeper denied access to the node "%s/shop": only the digest or certificate that created it may use it.

                Action:

                Set "elasticjob.registry.digest" to the user:password that the node was created with, connect with the same client certificate, use another namespace ("elasticjob.registry.namespace"), or change the node's permissions in ZooKeeper.
                """.formatted(zooKeeper.chroot()));
    }

    @Test
    void chrootDoesNotExist(CapturedOutput output) {
        String chroot = zooKeeper.chroot() + "/absent/shop";

        assertThatException()
                .isThrownBy(() -> SpringApplication.run(
                        TwoJobs.class,
                        "--spring.main.web-application-type=none",
                        "--elasticjob.registry.connect-string=" + zooKeeper.connectString() + "/absent/shop"));

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("The chroot \"" + chroot
                        + "\" in \"elasticjob.registry.connect-string\" was expected to exist in"
                        + " ZooKeeper, but doesn't.")
                .contains("zkCli.sh: ")
                .contains("\"create " + zooKeeper.chroot() + "/absent\", \"create " + chroot + "\".")
                .doesNotContain("\tat ");
    }

    @Test
    void jobBelongsToAnotherDigest(CapturedOutput output) {
        CuratorRegistry.connect(settings()).close();
        zooKeeper
                .start("a", TwoJobs.class, "--elasticjob.registry.digest=shop:secret")
                .close();

        assertThatException().isThrownBy(() -> zooKeeper.start("b", TwoJobs.class));

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .containsPattern("ZooKeeper denied access to the node \"" + zooKeeper.chroot()
                        + "/shop/(orders|bills)[a-z/]*\": only the digest or certificate");
    }

    @Test
    void configurationThatCannotBeReadStopsItsJobOnly(CapturedOutput output) {
        JobTree orders = new JobTree("orders");
        try (var registry = CuratorRegistry.connect(settings())) {
            OnZooKeeper.get(registry.commit(
                    registry.session().orElseThrow(),
                    RegistryCommit.builder()
                            .create(orders.root())
                            .create(orders.config(), "{no json".getBytes(StandardCharsets.UTF_8))
                            .build()));
        }

        ElasticJobEngine engine = zooKeeper.start("a", TwoJobs.class).getBean(ElasticJobEngine.class);

        zooKeeper.await(ItemFinished.class, run -> run.jobName().equals("bills"));
        assertThat(engine.state("orders")).isEqualTo(JobState.STOPPED);
        assertThat(output)
                .containsPattern(
                        "ERROR .* Job \"orders\" is not started on this instance; the other jobs are\\. The cause is the node"
                                + " \"/orders/config\" in the registry's namespace\\. The config of job \"orders\" in the registry"
                                + " can't be used: .*\\. Correct it there, repair it in the console or with JobAdmin.repair, delete it and start the job again, or set overwrite=true");
    }

    @Test
    void jobWhoseClassWasRenamedRunsAndTheLogSaysSo(CapturedOutput output) {
        zooKeeper.start("a", TwoJobs.class).close();

        zooKeeper.start("b", Renamed.class);

        zooKeeper.await(ItemFinished.class, run -> run.instance().equals("b"));
        assertThat(output)
                .containsPattern("WARN .*Job \"orders\": the registry stores the class \"\\Q"
                        + OrdersJob.class.getName() + "\\E\" for it, but this application has the class \"\\Q"
                        + OtherJob.class.getName() + "\\E\"");
    }

    @Test
    void classOfAJobIsSeenThroughEveryProxy(CapturedOutput output) {
        zooKeeper.start("a", TwoJobs.class).close();

        zooKeeper.start("b", ProxiedJobs.class).close();
        zooKeeper.start("c", ProxiedJobs.class, "--app.interfaces=true");

        zooKeeper.await(ItemFinished.class, run -> run.instance().equals("c"));
        assertThat(output).doesNotContain("as if the class had been renamed");
    }

    private RegistrySettings settings() {
        return RegistrySettings.of(zooKeeper.connectString(), "shop");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({OrdersJob.class, BillsJob.class})
    static class TwoJobs {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OtherJob.class)
    static class Renamed extends Intercepted {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OrdersJob.class)
    static class ProxiedJobs extends Intercepted {}

    static class Intercepted {
        @Bean
        static DefaultAdvisorAutoProxyCreator proxies(Environment environment) {
            var proxies = new DefaultAdvisorAutoProxyCreator();
            proxies.setProxyTargetClass(!environment.getProperty("app.interfaces", Boolean.class, false));
            return proxies;
        }

        @Bean
        static Advisor advisor() {
            var advisor = new NameMatchMethodPointcutAdvisor((MethodInterceptor) MethodInvocation::proceed);
            advisor.setMappedName("execute");
            advisor.setClassFilter(SimpleJob.class::isAssignableFrom);
            return advisor;
        }
    }

    @ElasticJob(name = "orders", cron = "* * * * * ?")
    static class OrdersJob implements SimpleJob {
        @Override
        public void execute(ShardingContext context) {}
    }

    @ElasticJob(name = "orders", cron = "* * * * * ?")
    static class OtherJob extends OrdersJob {}

    @ElasticJob(name = "bills", cron = "* * * * * ?")
    static class BillsJob extends OrdersJob {}
}
