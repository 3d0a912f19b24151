package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.job.DataflowJob;
import dev.elasticjob.job.ShardingContext;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import dev.elasticjob.testing.Heard;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.env.Environment;

/** The ways in which an application declares a job, besides an annotation with a name. */
@ExtendWith(OutputCaptureExtension.class)
class JobDeclarationsTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ElasticJobAutoConfiguration.class))
            .withUserConfiguration(OnMemory.class)
            .withBean(Runs.class);

    // ------------------------------------------------------------------ properties and a bean

    @Test
    void propertiesNameThePlainBeanThatDoesTheWork(CapturedOutput output) {
        runner.withBean("billing", PlainJob.class)
                .withPropertyValues(
                        "elasticjob.jobs.orders.bean=billing", "elasticjob.jobs.orders.sharding-total-count=3")
                .run(context -> {
                    assertThat(definitionOf(context, "orders"))
                            .returns(3, JobDefinition::shardingTotalCount)
                            .returns(JobType.SIMPLE, JobDefinition::jobType)
                            .returns(PlainJob.class.getName(), JobDefinition::jobClass);
                    assertThat(output).doesNotContain("nothing runs it");
                });
    }

    @Test
    void jobOfAPlainBeanRuns() {
        runner.withBean("billing", PlainJob.class)
                .withPropertyValues("elasticjob.jobs.orders.bean=billing", "elasticjob.jobs.orders.cron=* * * * * ?")
                .run(context -> context.getBean(Runs.class).awaitRunOf("orders"));
    }

    @Test
    void twoJobsMayShareABean() {
        runner.withBean("billing", PlainJob.class)
                .withPropertyValues("elasticjob.jobs.orders.bean=billing", "elasticjob.jobs.invoices.bean=billing")
                .run(context -> assertThat(
                                context.getBean(JobBeanCollector.class).jobNames())
                        .containsExactlyInAnyOrder("orders", "invoices"));
    }

    @Test
    void beanThatIsNotThereIsReported() {
        runner.withBean("billing", PlainJob.class)
                .withPropertyValues("elasticjob.jobs.orders.bean=biling")
                .run(
                        context -> assertThat(context.getStartupFailure())
                                .hasMessageContaining(
                                        "Job \"orders\": property \"elasticjob.jobs.orders.bean\" names the bean"
                                                + " \"biling\", but there is no such bean. Did you mean \"billing\"? The job beans are: billing."));
    }

    @Test
    void propertyForAnAnnotatedJobMustNameThatBean() {
        runner.withBean("billing", PlainJob.class)
                .withBean("annotated", NamedJob.class)
                .withPropertyValues("elasticjob.jobs.named.bean=billing")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("names the bean \"billing\", but bean \"annotated\""));
    }

    // ------------------------------------------------------------------ a definition and a bean

    @Test
    void definitionIsRunByTheBeanOfTheJobsName() {
        runner.withBean("orders", PlainJob.class)
                .withBean("others", PlainJob.class)
                .withBean(
                        "definition",
                        JobDefinition.class,
                        () -> JobDefinition.builder("orders")
                                .cron("* * * * * ?")
                                .build())
                .withPropertyValues("elasticjob.jobs.orders.job-parameter=asia")
                .run(context -> {
                    assertThat(definitionOf(context, "orders"))
                            .returns("asia", JobDefinition::jobParameter)
                            .returns(PlainJob.class.getName(), JobDefinition::jobClass);
                    context.getBean(Runs.class).awaitRunOf("orders");
                });
    }

    @Test
    void definitionIsRunByTheOnlyBeanOfItsClass() {
        runner.withBean("plain", PlainJob.class)
                .withBean("flow", PlainFlow.class)
                .withBean(
                        "definition",
                        JobDefinition.class,
                        () -> JobDefinition.builder("orders")
                                .jobClass(PlainFlow.class.getName())
                                .build())
                .run(context -> assertThat(definitionOf(context, "orders"))
                        .returns(JobType.DATAFLOW, JobDefinition::jobType)
                        .returns(PlainFlow.class.getName(), JobDefinition::jobClass));
    }

    @Test
    void definitionThatNoBeanRunsIsAWarning(CapturedOutput output) {
        runner.withBean(
                        "definition",
                        JobDefinition.class,
                        () -> JobDefinition.builder("orders").build())
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(output)
                            .contains("WARN")
                            .contains("Bean \"definition\" defines the job \"orders\", but no bean does its work");
                });
    }

    @Test
    void definitionAndAnnotationOfOneNameAreReported() {
        runner.withBean("annotated", NamedJob.class)
                .withBean("named", PlainJob.class)
                .withBean(
                        "definition",
                        JobDefinition.class,
                        () -> JobDefinition.builder("named").build())
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("Job \"named\" is declared by 2 beans"));
    }

    // ------------------------------------------------------------------ names

    @Test
    void nameIsTheBeansByDefault() {
        runner.withUserConfiguration(NamedByMethods.class)
                .withBean("ordersJob", NamelessJob.class)
                .run(context -> assertThat(
                                context.getBean(JobBeanCollector.class).jobNames())
                        .containsExactlyInAnyOrder("ordersJob", "invoices"));
    }

    @Test
    void beansOfARegistrarAreJobs() {
        runner.withUserConfiguration(Registered.class)
                .withPropertyValues("app.regions=asia,europe")
                .run(context -> assertThat(
                                context.getBean(JobBeanCollector.class).jobNames())
                        .containsExactlyInAnyOrder("orders-asia", "orders-europe"));
    }

    @Test
    void beansThatALoopRegistersAreJobs() {
        runner.withInitializer(context -> List.of("asia", "europe")
                        .forEach(region -> ((GenericApplicationContext) context)
                                .registerBean("orders-" + region, NamelessJob.class)))
                .run(context -> assertThat(
                                context.getBean(JobBeanCollector.class).jobNames())
                        .containsExactlyInAnyOrder("orders-asia", "orders-europe"));
    }

    // ------------------------------------------------------------------ expressions

    @Test
    void expressionsAreResolvedAsInScheduled() {
        runner.withBean("limits", Limits.class)
                .withBean(ExpressiveJob.class)
                .withPropertyValues("app.region=asia")
                .run(context -> assertThat(definitionOf(context, "orders-asia"))
                        .returns("0 30 4 * * ?", JobDefinition::cron)
                        .returns("14", JobDefinition::jobParameter));
    }

    @Test
    void cronOfAnAnnotationMayBeADash() {
        runner.withBean("limits", Limits.class)
                .withBean(ExpressiveJob.class)
                .withPropertyValues("app.region=europe")
                .run(context ->
                        assertThat(definitionOf(context, "orders-europe")).returns("", JobDefinition::cron));
    }

    @Test
    void expressionThatCanNotBeResolvedIsReportedWithItsJob() {
        runner.withBean(ExpressiveJob.class)
                .withPropertyValues("app.region=asia")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("Job \"orders-asia\"")
                        .hasMessageContaining("its placeholders or expressions can't be resolved"));
    }

    // ------------------------------------------------------------------ scopes

    @Nested
    class Scopes {
        @ParameterizedTest
        @ValueSource(strings = {"prototype", "request", "session", "job", "thread"})
        void scopeWithoutAProxyIsReported(String scope) {
            runner.withInitializer(Scopes::addScopes)
                    .withInitializer(context -> register(context, definition -> definition.setScope(scope)))
                    .run(context -> assertThat(context.getStartupFailure())
                            .hasMessageContaining("Job \"orders\": bean \"orders\" has the scope \"" + scope + "\""));
        }

        @Test
        void scopeOfRequestsIsReportedBehindAProxyToo() {
            runner.withInitializer(Scopes::addScopes)
                    .withUserConfiguration(OfRequests.class)
                    .run(context -> assertThat(context.getStartupFailure())
                            .hasMessageContaining("bean \"orders\" has the scope \"request\""));
        }

        @ParameterizedTest
        @ValueSource(strings = {"request", "session", "job"})
        void scopeThatEndsIsReportedBehindAProxyOfTheClassToo(String scope) {
            runner.withInitializer(Scopes::addScopes)
                    .withInitializer(context -> registerBehindAProxy(context, scope))
                    .run(context -> assertThat(context.getStartupFailure())
                            .hasMessageContaining("bean \"orders\" has the scope \"" + scope + "\""));
        }

        @Test
        void prototypeBehindAProxyIsANewOneInEachExecution() {
            runner.withUserConfiguration(OfPrototypes.class).run(context -> {
                Runs runs = context.getBean(Runs.class);
                runs.awaitRuns(2);
                assertThat(runs.objects()).doesNotHaveDuplicates();
            });
        }

        private static void addScopes(ConfigurableApplicationContext context) {
            for (String name : List.of("request", "session", "job", "thread")) {
                context.getBeanFactory().registerScope(name, new SimpleThreadScope());
            }
        }

        private static void registerBehindAProxy(ConfigurableApplicationContext context, String scope) {
            var registry = (GenericApplicationContext) context;
            var definition = new RootBeanDefinition(NamelessJob.class);
            definition.setScope(scope);
            registry.registerBeanDefinition(
                    "orders",
                    ScopedProxyUtils.createScopedProxy(new BeanDefinitionHolder(definition, "orders"), registry, true)
                            .getBeanDefinition());
        }

        private static void register(ConfigurableApplicationContext context, Consumer<BeanDefinition> how) {
            ((GenericApplicationContext) context).registerBean("orders", NamelessJob.class, how::accept);
        }
    }

    private static JobDefinition definitionOf(AssertableApplicationContext context, String job) {
        assertThat(context).hasNotFailed();
        return context.getBean(JobBeanCollector.class).jobs().stream()
                .map(JobBean::definition)
                .filter(definition -> definition.jobName().equals(job))
                .findFirst()
                .orElseThrow();
    }

    /** What ran: the name of the job, and the number of the object. */
    static class Runs {
        private final Heard<String> heard = new Heard<>();
        private final AtomicInteger objects = new AtomicInteger();

        int nextObject() {
            return objects.incrementAndGet();
        }

        void awaitRunOf(String job) {
            heard.await("run of " + job, runs -> runs.stream().anyMatch(run -> run.startsWith(job + " ")));
        }

        void awaitRuns(int number) {
            heard.await(number + " runs", runs -> runs.size() >= number);
        }

        List<String> objects() {
            return heard.all().stream().map(run -> run.replaceAll(".* ", "")).toList();
        }
    }

    static class PlainJob implements SimpleJob {
        private final Runs runs;
        private final int number;

        PlainJob(Runs runs) {
            this.runs = runs;
            this.number = runs.nextObject();
        }

        @Override
        public void execute(ShardingContext context) {
            runs.heard.add(context.getJobName() + " " + number);
        }
    }

    static class PlainFlow implements DataflowJob<String> {
        @Override
        public List<String> fetchData(ShardingContext context) {
            return List.of();
        }

        @Override
        public void processData(ShardingContext context, List<String> data) {}
    }

    @ElasticJob(name = "named")
    static class NamedJob extends PlainJob {
        NamedJob(Runs runs) {
            super(runs);
        }
    }

    @ElasticJob
    static class NamelessJob extends PlainJob {
        NamelessJob(Runs runs) {
            super(runs);
        }
    }

    static class Limits {
        public int perRegion() {
            return 7;
        }
    }

    @ElasticJob(
            name = "orders-${app.region}",
            cron = "#{'${app.region}' == 'asia' ? '0 30 4 * * ?' : '-'}",
            jobParameter = "#{@limits.perRegion() * 2}")
    static class ExpressiveJob extends PlainJob {
        ExpressiveJob(Runs runs) {
            super(runs);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NamedByMethods {
        @Bean
        @ElasticJob
        SimpleJob invoices() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Regions.class)
    static class Registered {}

    static class Regions implements BeanRegistrar {
        @Override
        public void register(BeanRegistry registry, Environment environment) {
            for (String region : environment.getRequiredProperty("app.regions", String[].class)) {
                registry.registerBean(
                        "orders-" + region,
                        NamelessJob.class,
                        spec -> spec.supplier(beans -> new NamelessJob(beans.bean(Runs.class))));
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfRequests {
        @Bean
        @Scope(value = "request", proxyMode = ScopedProxyMode.INTERFACES)
        @ElasticJob
        SimpleJob orders() {
            return context -> {};
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OfPrototypes {
        @Bean
        @Scope(value = ConfigurableBeanFactory.SCOPE_PROTOTYPE, proxyMode = ScopedProxyMode.INTERFACES)
        @ElasticJob(cron = "* * * * * ?")
        SimpleJob orders(Runs runs) {
            return new PlainJob(runs);
        }
    }
}
