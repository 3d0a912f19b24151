package dev.elasticjob.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.elasticjob.admin.table.CommandTable;
import dev.elasticjob.admin.table.OperatorCommand.Scope;
import dev.elasticjob.definition.schedule.Schedule;
import dev.elasticjob.job.SimpleJob;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.spring.ElasticJob;
import dev.elasticjob.spring.OnMemory;
import java.lang.management.ManagementFactory;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The endpoint over JMX: the same operations as over HTTP. */
class CommandsJmxTest {
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private final String domain = "shop-" + UUID.randomUUID();

    @Test
    void readsAreThereAndCommandsAreNotUnlessAccessIsUnrestricted() throws Exception {
        try (ConfigurableApplicationContext ignored = run()) {
            assertThat(operations()).containsExactlyInAnyOrder("jobs", "job", "view", "entry");
            assertThat(ask("job", Map.of("job", "orders")))
                    .isInstanceOfSatisfying(
                            Map.class, job -> assertThat(job.get("name")).isEqualTo("orders"));
        }
    }

    @Test
    void everyQuestionIsAnswered() throws Exception {
        try (ConfigurableApplicationContext ignored = run()) {
            assertThat(text(ask("jobs", Map.of()))).contains("orders");
            assertThat(text(ask("jobs", Map.of("scope", "namespace", "name", "ord"))))
                    .contains("names=1");
            assertThat(text(ask("jobs", Map.of("scope", "servers")))).contains("10.0.0.1");
            assertThat(text(ask("jobs", Map.of("scope", "attention")))).contains("attention=[]");
            assertThat(text(ask("view", Map.of("job", "orders", "view", "definition"))))
                    .contains("version=");
            assertThat(text(ask("view", Map.of("job", "orders", "view", "instances"))))
                    .contains("10.0.0.1");
            assertThat(text(ask("view", Map.of("job", "orders", "view", "due-times", "limit", 2))))
                    .contains("-01-01T");
            assertThat(text(ask("view", Map.of("job", "orders", "view", "tree"))))
                    .contains("/orders/config");
            assertThat(text(ask("entry", Map.of("job", "orders", "view", "explain", "id", "0"))))
                    .contains("NOT_DUE");
            assertThatThrownBy(() -> ask("job", Map.of("job", "unknown"))).hasMessageContaining("no job \"unknown\"");
            assertThatThrownBy(() -> ask("view", Map.of("job", "orders", "view", "due-times", "item", 1)))
                    .hasMessageContaining("takes only limit");
        }
    }

    /** Each value is a parameter of the operation; those of another command would be overlooked. */
    @Test
    void aCommandRefusesTheValuesOfOthers() throws Exception {
        try (ConfigurableApplicationContext ignored = run("management.endpoint.elasticjob.access=unrestricted")) {
            assertThatThrownBy(() -> ask(
                            "command",
                            Map.of(
                                    "job",
                                    "orders",
                                    "command",
                                    "disable",
                                    "item",
                                    1,
                                    "server",
                                    "10.0.0.1",
                                    "from",
                                    "x")))
                    .hasMessageContaining("item is \"1\"")
                    .hasMessageContaining("server is \"10.0.0.1\"")
                    .hasMessageContaining("from is \"x\"")
                    .hasMessageContaining("takes only reason");
            assertThatThrownBy(() -> ask(
                            "command",
                            Map.of("job", "orders", "command", "backfill", "from", "2021-01-01T00:00", "until", "now")))
                    .hasMessageContaining("from is")
                    .hasMessageContaining("until is \"now\"")
                    .hasMessageContaining("a time with its zone");
            assertThatThrownBy(() -> ask("commandForAll", Map.of("command", "pause-all", "instance", "a")))
                    .hasMessageContaining("takes only reason");
            assertThat(text(ask("command", Map.of("job", "orders", "command", "trigger", "item", 1))))
                    .contains("items=[1]");
        }
    }

    /** A parameter that is missing can't be given by JMX clients. */
    @Test
    void eachArgumentOfTheCommandsIsAParameter() throws Exception {
        try (ConfigurableApplicationContext ignored = run("management.endpoint.elasticjob.access=unrestricted")) {
            assertThat(parameters("command")).isEqualTo(arguments(Scope.JOB, "job", "command", "dryRun"));
            assertThat(parameters("commandForAll")).isEqualTo(arguments(Scope.NAMESPACE, "command", "dryRun"));
            assertThat(text(ask("command", Map.of("job", "orders", "command", "trigger", "dryRun", "true"))))
                    .contains("dryRun=true", "outcome=CHANGES", "code=ITEMS_RUN, count=2, text=Items that run once");
        }
    }

    @Test
    void aCronIsRefusedAlikeByACommandAndItsDryRun() throws Exception {
        String cron = "0 0 9 ? * 6L 2027";
        String problem = Schedule.problemOfCron(cron, ZoneOffset.UTC).orElseThrow();
        String settings = "jobType=SCRIPT\nscriptCommandLine=echo\ncron=" + cron;
        try (ConfigurableApplicationContext ignored = run("management.endpoint.elasticjob.access=unrestricted")) {
            for (String dryRun : List.of("true", "false")) {
                Map<String, Object> create =
                        Map.of("job", "other", "command", "create", "settings", settings, "dryRun", dryRun);

                assertThatThrownBy(() -> ask("command", create))
                        .as("dryRun=%s", dryRun)
                        .hasMessageContaining("cron is \"%s\": %s".formatted(cron, problem));
            }
        }
    }

    private Set<String> parameters(String operation) throws JMException {
        return Stream.of(SERVER.getMBeanInfo(name()).getOperations())
                .filter(one -> one.getName().equals(operation))
                .flatMap(one -> Stream.of(one.getSignature()))
                .map(MBeanParameterInfo::getName)
                .collect(Collectors.toSet());
    }

    private static Set<String> arguments(Scope scope, String... ofAll) {
        return Stream.concat(
                        Stream.of(ofAll),
                        CommandTable.ALL.stream()
                                .filter(command -> command.scope() == scope)
                                .flatMap(command -> command.arguments().stream())
                                .flatMap(argument -> argument.names().stream()))
                .collect(Collectors.toSet());
    }

    @Test
    void aCommandIsCarriedOutInTheNameOfTheClient() throws Exception {
        try (ConfigurableApplicationContext ignored = run("management.endpoint.elasticjob.access=unrestricted")) {
            assertThat(text(ask("command", Map.of("job", "orders", "command", "trigger", "runId", "r1", "items", "0"))))
                    .contains("runId=r1", "items=[0]");
            assertThat(text(ask(
                            "command", Map.of("job", "orders", "command", "disable-item", "item", 1, "reason", "r"))))
                    .contains("command=disable-item", "actor=jmx");
            assertThat(text(ask("entry", Map.of("job", "orders", "view", "explain", "id", "1"))))
                    .contains("ITEM_DISABLED");
            assertThat(text(ask("command", Map.of("job", "orders", "command", "enable-item", "items", "0-1"))))
                    .contains("results={0=ALREADY, 1=CHANGED}");
            assertThatThrownBy(() -> ask("command", Map.of("job", "orders", "command", "cancel", "items", "1-0")))
                    .hasMessageContaining("1-0 ends before it begins");
            assertThat(text(ask("command", Map.of("job", "orders", "command", "pause"))))
                    .contains("inForce=true");
            assertThatThrownBy(() -> ask("command", Map.of("job", "orders", "command", "trigger")))
                    .hasMessageContaining("paused by jmx");
            assertThat(text(ask("command", Map.of("job", "orders", "command", "resume"))))
                    .contains("changed=true");
            assertThat(text(ask("commandForAll", Map.of("command", "pause-all"))))
                    .contains("inForce=true");
            assertThat(text(ask("commandForAll", Map.of("command", "resume-all"))))
                    .contains("changed=true");
            assertThat(text(ask("view", Map.of("job", "orders", "view", "commands"))))
                    .contains("disable item 1", "actor=jmx", "reason=r");
            assertThatThrownBy(() -> ask("command", Map.of("job", "unknown", "command", "trigger")))
                    .hasMessageContaining("There is no job \"unknown\"");
            assertThatThrownBy(() -> ask("command", Map.of("job", "orders", "command", "explode")))
                    .hasMessageContaining("Expected a command of");
        }
    }

    @Test
    void aJobThatIsCreatedRunsAndARefusalNamesWhatIsWrong() throws Exception {
        try (ConfigurableApplicationContext application = run(
                "management.endpoint.elasticjob.access=unrestricted",
                "elasticjob.jobs-from-registry=true",
                "elasticjob.registry-jobs.allowed-beans=orders")) {
            Object created = ask(
                    "command",
                    Map.of("job", "tenant", "command", "create", "settings", "jobClass=orders", "reason", "OPS-81"));
            application
                    .getBean(CommandsWebTest.Events.class)
                    .await(
                            1,
                            JobEvent.AssignmentChanged.class,
                            change -> change.jobName().equals("tenant")
                                    && !change.items().isEmpty());

            assertThat(text(created)).contains("job=tenant", "command=create", "actor=jmx", "version=0-");
            assertThat(text(ask("view", Map.of("job", "tenant", "view", "commands"))))
                    .contains("create", "actor=jmx", "reason=OPS-81");
            assertThatThrownBy(() -> ask(
                            "command", Map.of("job", "tenant", "command", "create", "settings", "jobClass=another")))
                    .hasMessageContaining("\"tenant\"");
            assertThatThrownBy(() -> ask(
                            "command",
                            Map.of("job", "other", "command", "create", "settings", "jobType=SCRIPT\ncron=at night")))
                    .hasMessageContaining("scriptCommandLine")
                    .hasMessageContaining("cron is \"at night\"");
            assertThatThrownBy(() -> ask("job", Map.of("job", "other"))).hasMessageContaining("no job \"other\"");
        }
    }

    @Test
    void jobsAreFilteredByStateWithTheAgeOfTheAnswer() throws Exception {
        try (ConfigurableApplicationContext ignored = run()) {
            Map<String, Object> ready = Map.of("scope", "namespace", "name", "ord", "status", "ready");
            Map<String, Object> paused = Map.of("scope", "namespace", "status", "PAUSED");

            assertThat(text(ask("jobs", ready))).contains("names=1", "swept={jobs=1, of=1, complete=true, oldest=");
            assertThat(text(ask("jobs", paused))).contains("names=0");
        }
    }

    // ------------------------------------------------------------------ asking

    private ConfigurableApplicationContext run(String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "spring.jmx.enabled=true",
                "management.endpoints.jmx.exposure.include=elasticjob",
                "management.endpoints.jmx.domain=" + domain,
                "elasticjob.instance.ip=10.0.0.1"));
        properties.addAll(List.of(more));
        ConfigurableApplicationContext application = new SpringApplicationBuilder(Shop.class)
                .web(WebApplicationType.NONE)
                .properties(properties.toArray(String[]::new))
                .run();
        application
                .getBean(CommandsWebTest.Events.class)
                .await(
                        1,
                        JobEvent.AssignmentChanged.class,
                        change -> !change.items().isEmpty());
        return application;
    }

    private ObjectName name() throws JMException {
        Set<ObjectName> names = SERVER.queryNames(new ObjectName(domain + ":*"), null);
        assertThat(names).hasSize(1);
        return names.iterator().next();
    }

    private List<String> operations() throws JMException {
        return Stream.of(SERVER.getMBeanInfo(name()).getOperations())
                .map(MBeanOperationInfo::getName)
                .toList();
    }

    /** Parameters that are not named are null. */
    private Object ask(String operation, Map<String, Object> parameters) throws JMException {
        MBeanOperationInfo known = Arrays.stream(SERVER.getMBeanInfo(name()).getOperations())
                .filter(one -> one.getName().equals(operation))
                .findFirst()
                .orElseThrow();
        MBeanParameterInfo[] signature = known.getSignature();
        assertThat(parameters.keySet())
                .isSubsetOf(Arrays.stream(signature)
                        .map(MBeanParameterInfo::getName)
                        .toList());
        return SERVER.invoke(
                name(),
                operation,
                Arrays.stream(signature)
                        .map(one -> parameters.get(one.getName()))
                        .toArray(),
                Arrays.stream(signature).map(MBeanParameterInfo::getType).toArray(String[]::new));
    }

    private static String text(Object answer) {
        return String.valueOf(answer);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(OnMemory.class)
    static class Shop {
        @Bean
        CommandsWebTest.Events events() {
            return new CommandsWebTest.Events();
        }

        @Bean
        @ElasticJob(name = "orders", cron = "0 0 0 1 1 ?", shardingTotalCount = 2)
        SimpleJob orders() {
            return context -> {};
        }
    }
}
