package dev.elasticjob.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The rules of {@code docs/internals/architecture.md} that byte code shows, under the numbers they have there; {@link
 * SourceRules} has the others. They are written for a base package, so that each can be shown red on a fixture.
 *
 * <p>A rule passes where the packages it speaks of are empty.
 */
public record ArchitectureRules(String basePackage) {
    private static final List<String> PUBLIC_PORTS = List.of("LeaderElection", "ReshardingFlags", "FailoverLatch");

    private static final List<String> VALUES = List.of(
            "time",
            "job",
            "job.after",
            "job.event",
            "definition",
            "definition.schedule",
            "definition.text",
            "definition.codec",
            "registry");
    private static final List<String> VIEWS =
            and(VALUES, "job.cluster", "coordination.state", "coordination.session", "coordination.view");

    /** The rooms of coordination, from the first to the last: each imports only those before it. */
    private static final List<String> ROOMS = List.of(
            "coordination.state",
            "coordination.session",
            "coordination.view",
            "coordination.membership",
            "coordination.run",
            "coordination.item",
            "coordination.firing",
            "coordination.leader",
            "coordination.claim",
            "coordination.watchdog",
            "coordination.progress",
            "coordination");

    /** What an item needs to have an owner and to run; everything else plugs in. */
    static final List<String> KERNEL = List.of(
            "coordination.session",
            "coordination.state",
            "coordination.view",
            "coordination.membership",
            "coordination.item",
            "coordination.claim",
            "coordination.leader",
            "coordination");

    private static final List<String> PLUGGED_IN =
            List.of("coordination.firing", "coordination.watchdog", "coordination.progress", "coordination.group");

    /** The classes of {@code coordination.run} that want runs, in contrast to those that request them. */
    private static final String SOURCES_OF_RUNS =
            "(Backfill|Follow|ParentFirings|RunAtStart|OperatorTriggers)\\w*(\\$.*)?";

    /** Of the kernel, what still names something that should plug in. */
    private static final String NOT_YET_FREE =
            "(coordination\\.Participation|coordination\\.claim\\.(ClaimCommits|ClaimRound|ItemClaims))(\\$.*)?";

    /** All that groups take from what a job's nodes hold: how stored forms are read. */
    private static final String STORED_FORMS = "coordination.state.(StateJson|WrongValue|CorruptNodeException)";

    /**
     * What each package of the core may import of the others. Whoever adds a package decides its place here. Claims and
     * the leader see neither each other nor what joins them.
     */
    private static final Map<String, List<String>> MAY_IMPORT = Map.ofEntries(
            Map.entry("time", List.of()),
            Map.entry("job.after", List.of()),
            Map.entry("job", List.of("time", "job.after")),
            Map.entry("job.event", List.of("time", "job")),
            Map.entry("group", List.of("time")),
            Map.entry("definition.schedule", List.of("time", "job")),
            Map.entry("definition.text", List.of()),
            Map.entry("definition", List.of("time", "job", "job.after", "definition.schedule", "definition.text")),
            Map.entry(
                    "definition.codec",
                    List.of("time", "job", "job.after", "definition.schedule", "definition.text", "definition")),
            Map.entry("definition.trust", List.of("job", "definition", "definition.text")),
            Map.entry("definition.kind", List.of("job", "definition", "definition.text")),
            Map.entry("registry", List.of("time", "job", "definition")),
            Map.entry("registry.curator", List.of("time", "job", "definition", "registry")),
            Map.entry("registry.memory", List.of("time", "job", "definition", "registry")),
            Map.entry("time.manual", List.of("time")),
            Map.entry("job.cluster", List.of("time", "job")),
            Map.entry("coordination.state", and(VALUES, "job.cluster")),
            // A loop says which node keeps it waiting.
            Map.entry("coordination.session", and(VALUES, "coordination.state")),
            Map.entry("coordination.view", and(VALUES, "job.cluster", "coordination.state", "coordination.session")),
            Map.entry("coordination.membership", VIEWS),
            Map.entry("coordination.run", and(VIEWS, "coordination.membership")),
            Map.entry("coordination.item", and(VIEWS, "coordination.run")),
            Map.entry("coordination.firing", and(VIEWS, "coordination.run", "coordination.item")),
            Map.entry("coordination.leader", and(VIEWS, "coordination.membership", "coordination.item")),
            Map.entry("coordination.claim", and(VIEWS, "coordination.run", "coordination.item", "coordination.firing")),
            Map.entry("coordination.watchdog", and(VIEWS, "coordination.item")),
            Map.entry("coordination.progress", and(VIEWS, "coordination.item")),
            Map.entry(
                    "coordination",
                    and(
                            VIEWS,
                            "coordination.membership",
                            "coordination.run",
                            "coordination.leader",
                            "coordination.watchdog")),
            Map.entry(
                    "coordination.group",
                    and(VALUES, "group", "coordination.state", "coordination.session", "coordination.membership")),
            Map.entry("execution.pool", List.of("time", "job", "definition", "coordination.session")),
            Map.entry(
                    "execution.invoker",
                    List.of(
                            "time",
                            "job",
                            "job.after",
                            "job.cluster",
                            "definition",
                            "definition.text",
                            "definition.trust",
                            "definition.kind",
                            "coordination.run",
                            "coordination.state",
                            "coordination.item",
                            "coordination.progress")),
            Map.entry(
                    "execution",
                    List.of(
                            "time",
                            "job",
                            "job.event",
                            "job.cluster",
                            "definition",
                            "coordination.session",
                            "coordination.state",
                            "coordination.view",
                            "coordination.item",
                            "coordination.claim",
                            "coordination.firing",
                            "coordination.watchdog",
                            "coordination.progress",
                            "execution.pool",
                            "execution.invoker")),
            // It asks those who decide, so that it has no second copy of the rules.
            Map.entry(
                    "admin.explain",
                    and(
                            VIEWS,
                            "coordination.claim",
                            "coordination.leader",
                            "coordination.run",
                            "coordination.watchdog")),
            // Nothing of it runs jobs.
            Map.entry("admin.app", List.of("registry", "coordination.session", "coordination.state")),
            Map.entry("admin.command", and(VIEWS, "coordination.run", "admin.app")),
            Map.entry(
                    "admin",
                    and(
                            VIEWS,
                            "coordination.run",
                            // What the leader would report, also where none does.
                            "coordination.watchdog",
                            "coordination.progress",
                            // Groups have no commands, only reports.
                            "group",
                            "coordination.group",
                            "admin.explain",
                            "admin.app",
                            "admin.command")),
            // Its rows call what the others offer. It doesn't see the registry.
            Map.entry(
                    "admin.table",
                    List.of(
                            "definition",
                            "definition.codec",
                            "definition.schedule",
                            "coordination.state",
                            "coordination.run",
                            "admin.app",
                            "admin.command",
                            "admin")),
            Map.entry(
                    "engine.registryjob",
                    List.of(
                            "time",
                            "registry",
                            "definition",
                            "definition.text",
                            "definition.codec",
                            "definition.trust",
                            "definition.kind",
                            "coordination.session",
                            "coordination.state",
                            "execution.invoker")),
            Map.entry("engine.process", List.of("time", "registry", "coordination.item", "coordination.group")),
            Map.entry(
                    "engine",
                    and(
                            VIEWS,
                            "group",
                            "definition.trust",
                            "definition.kind",
                            "registry.curator",
                            "coordination.membership",
                            "coordination.run",
                            "coordination.item",
                            "coordination.firing",
                            "coordination.claim",
                            "coordination.leader",
                            "coordination.watchdog",
                            "coordination.progress",
                            "coordination.group",
                            "coordination",
                            "execution.pool",
                            "execution.invoker",
                            "execution",
                            "admin",
                            "admin.command",
                            "engine.registryjob",
                            "engine.process")));

    private static List<String> and(List<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).toList();
    }

    /** The rules of our own code, in the base package. */
    public static ArchitectureRules ofElasticJob() {
        return new ArchitectureRules("dev.elasticjob");
    }

    /** 1: imports of the core follow the package order; no cycles; no package without a place in the order. */
    public ArchRule importsFollowThePackageOrder() {
        List<ArchRule> rules = new ArrayList<>();
        rules.add(classes()
                .should()
                .resideInAnyPackage(inBase(MAY_IMPORT.keySet().toArray(String[]::new)))
                .because("each package of the core has its place in the order of docs/internals/architecture.md"));
        MAY_IMPORT.forEach((name, allowed) -> rules.add(noClasses()
                .that()
                .resideInAPackage(inBase(name))
                .should()
                .dependOnClassesThat(allExcept(name, allowed))
                .because("imports point left: " + name + " may import " + allowed)));
        rules.add(slices().matching(basePackage + ".(**)").should().beFreeOfCycles());
        return CompositeArchRule.of(
                        rules.stream().map(rule -> rule.allowEmptyShould(true)).toList())
                .as("imports follow the package order, without cycles");
    }

    /** 2: of the core, only the cron schedule and the retry decision know Spring. */
    public ArchRule springOnlyInScheduleAndRetry() {
        return onlyIn(
                nameMatching("\\Q" + basePackage
                        + "\\E\\.(definition\\.schedule\\.CronTimes|execution\\.RetryDecision)(\\$.*)?"),
                "cron schedules and the retry decision are all that the core takes from Spring",
                "org.springframework..");
    }

    /** 3, core: only the adapter knows Curator and ZooKeeper. */
    public ArchRule zooKeeperOnlyInTheAdapter() {
        return onlyIn(
                resideInAPackage(inBase("registry.curator")),
                "everything else sees the port, so that it also runs on memory",
                "org.apache.curator..",
                "org.apache.zookeeper..");
    }

    /**
     * 3, autoconfigure: besides the embedded server and the failure analyzers, only the classes named here.
     *
     * @param builders simple names of the classes that build the client, or take the application's own
     */
    public ArchRule zooKeeperInAutoconfigureOnlyIn(String... builders) {
        String names = String.join("|", builders);
        return onlyIn(
                resideInAPackage(inBase("spring") + ".embedded..")
                        .or(nameMatching(".*FailureAnalyzer(\\$.*)?"))
                        .or(nameMatching(".*\\.(" + names + ")(\\$.*)?")),
                "an application may bring a client of its own; one place decides",
                "org.apache.curator..",
                "org.apache.zookeeper..");
    }

    /** 4: execution doesn't see the registry, and admin doesn't see what runs jobs. */
    public ArchRule executionAndAdminStayApart() {
        ArchRule execution = noClasses()
                .that()
                .resideInAPackage(inBase("execution") + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(inBase("registry") + "..")
                .because("the only way back is through coordination's doors");
        ArchRule admin = noClasses()
                .that()
                .resideInAPackage(inBase("admin") + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(inBase("execution") + "..", inBase("engine") + "..")
                .because("an operator's command is a write to the tree, which works from any process");
        return CompositeArchRule.of(List.of(execution.allowEmptyShould(true), admin.allowEmptyShould(true)))
                .as("execution never sees the registry; admin never sees execution, engine");
    }

    /**
     * 5: what decides depends on values only, so that a test of it is plain data. The registry has values too: its
     * records and enums.
     */
    public ArchRule decisionsDependOnValuesOnly() {
        DescribedPredicate<JavaClass> decides = describe(
                "decide (planners, strategies, states, schedules)",
                type -> outermost(type).getSimpleName().matches(".*(Planner|Strategy|Strategies|State|Schedule)"));
        DescribedPredicate<JavaClass> value = describe("are values", type -> type.isRecord() || type.isEnum());
        return noClasses()
                .that(decides)
                .and()
                .resideOutsideOfPackage(inBase("registry") + "..")
                .should()
                .dependOnClassesThat(resideInAPackage(inBase("registry") + "..")
                        .and(not(value))
                        .or(resideInAnyPackage(inBase("time"), "org.slf4j..", "java.util.concurrent.."))
                        .or(nameMatching("java\\.time\\.Clock|java\\.util\\.(Random|Timer)|java\\.lang\\.Thread"))
                        .as("are a registry, clock, logger, or executor"))
                .allowEmptyShould(true);
    }

    /** 6: nothing is shared behind the caller's back; as many engines per process as one likes. */
    public ArchRule noAmbientState() {
        return classes()
                .should(new ShareNothingStatically())
                .allowEmptyShould(true)
                .as("no static mutable state, no getInstance, no thread-local");
    }

    /** 7: now comes from a clock, later from the timer, threads from the engine. */
    public ArchRule timeAndThreadsAreHandedIn() {
        return classes()
                .should(new TakeTimeAndThreads(basePackage))
                .allowEmptyShould(true)
                .as("time and threads are handed in");
    }

    /** 8: a name says what the thing is. */
    public ArchRule namesAreNouns() {
        return noClasses()
                .should()
                .haveNameMatching(".*(Manager|Helper|Util|Facade|Impl|Service)s?")
                .allowEmptyShould(true)
                .because("if a name needs one of these, the concept isn't found yet");
    }

    /** 9: of coordination, autoconfigure sees the ports that are beans; of execution nothing. */
    public ArchRule autoconfigureSeesOnlyThePorts() {
        String ports = "\\Q" + inBase("coordination") + "\\E\\.(" + String.join("|", PUBLIC_PORTS) + ")(\\$.*)?";
        return noClasses()
                .that()
                .resideInAPackage(inBase("spring") + "..")
                .should()
                .dependOnClassesThat(resideInAPackage(inBase("execution") + "..")
                        .or(resideInAPackage(inBase("coordination") + "..").and(not(nameMatching(ports))))
                        .as("are inside coordination or execution"))
                .allowEmptyShould(true)
                .because("the engine wires these; beans are " + PUBLIC_PORTS);
    }

    /**
     * 14: the console asks and commands through admin, and sees values and failures besides; where it takes its place in an
     * application, it brings threads of its own.
     */
    public ArchRule consoleSeesOnlyAdmin() {
        String console = inBase("console");
        ArchRule sees = noClasses()
                .that()
                .resideInAPackage(console + "..")
                .should()
                .dependOnClassesThat(resideInAPackage(basePackage + "..")
                        .and(not(resideInAnyPackage(
                                console + "..",
                                inBase("admin") + "..",
                                inBase("definition") + "..",
                                inBase("group"),
                                inBase("job") + "..",
                                inBase("spring.history"),
                                inBase("time"))))
                        .and(not(nameMatching("\\Q" + basePackage
                                + "\\E\\.(registry\\.Registry\\w+Exception|coordination\\.state\\.ItemState)"))))
                .allowEmptyShould(true)
                .because("an operator's command is a write that JobAdmin makes; the console writes nothing else");
        ArchRule timed = classes()
                .that()
                .resideInAPackage(console + "..")
                .and()
                .resideOutsideOfPackage(console + ".autoconfigure")
                .should(new TakeTimeAndThreads(basePackage))
                .allowEmptyShould(true);
        return CompositeArchRule.of(List.of(sees, timed)).as("the console sees admin, definition, group and job");
    }

    /**
     * 10: samples show what an application needs: the jobs' package, the annotation and admin.
     *
     * @param samplePackage where the sample is
     * @param alsoAllowed the test kit's packages, for the sample's tests; none for its main code
     */
    public ArchRule samplesUseOnlyTheFrontDoor(String samplePackage, String... alsoAllowed) {
        DescribedPredicate<JavaClass> frontDoor = resideInAnyPackage(
                        inBase("job"),
                        inBase("job.after"),
                        inBase("job.cluster"),
                        inBase("job.event"),
                        inBase("group"),
                        inBase("admin"),
                        inBase("admin.command"))
                .or(resideInAnyPackage(alsoAllowed))
                .or(nameMatching("\\Q" + inBase("spring") + "\\E\\.(ElasticJob|DynamicSharding)(\\$.*)?"))
                .or(resideInAPackage(samplePackage + ".."));
        return noClasses()
                .that()
                .resideInAPackage(samplePackage + "..")
                .should()
                .dependOnClassesThat(resideInAPackage(basePackage + "..")
                        .and(not(frontDoor))
                        .as("are ours, but neither job, group, admin, nor an annotation"))
                .allowEmptyShould(true)
                .because("what a sample imports is what every application will import");
    }

    /** 12: null is not a value. */
    public ArchRule everyPackageIsNullMarked() {
        return classes()
                .that(are(describe(
                        "no package-info", type -> !type.getSimpleName().equals("package-info"))))
                .should(new StandInNullMarkedPackages())
                .allowEmptyShould(true);
    }

    /** 15: what is read names no class that is made of it. */
    public ArchRule jsonNamesNoClasses() {
        return noClasses()
                .should()
                .callMethodWhere(describe(
                        "polymorphic types are turned on",
                        call -> call.getTarget()
                                .getName()
                                .matches("(activate|enable|set)DefaultTyping.*|polymorphicTypeValidator")))
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching(".*\\.Json(TypeInfo|TypeResolver|SubTypes)(\\$.*)?")
                .allowEmptyShould(true)
                .because("whoever can write to the registry would choose which classes an instance loads");
    }

    /** 19: generic code asks a kind instead of knowing the two that need no code. */
    public ArchRule kindsAreNoSpecialCases() {
        String kinds = "\\Q" + basePackage
                + "\\E\\.(definition\\.(JobType|\\w+Rules)|execution\\.invoker\\.\\w+JobInvoker)" + "(\\$.*)?";
        return noClasses()
                .that(not(nameMatching(kinds)))
                .should()
                .accessFieldWhere(describe(
                        "JobType.SCRIPT and JobType.HTTP",
                        access -> access.getTargetOwner().getName().equals(inBase("definition.JobType"))
                                && access.getName().matches("SCRIPT|HTTP")))
                .allowEmptyShould(true)
                .because("a kind of job is one class: ask KindRules, or what runs it");
    }

    /** 16: each room of coordination imports only those before it; claims and the leader don't see each other. */
    public ArchRule roomsImportOnlyThoseBefore() {
        List<ArchRule> rules = new ArrayList<>();
        for (String room : ROOMS) {
            List<String> after = new ArrayList<>(ROOMS.subList(ROOMS.indexOf(room) + 1, ROOMS.size()));
            after.add("coordination.group");
            if (room.equals("coordination.claim")) {
                after.add("coordination.leader");
            }
            rules.add(noClasses()
                    .that()
                    .resideInAPackage(inBase(room))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(inBase(after.toArray(String[]::new)))
                    .because(room + " comes before " + after)
                    .allowEmptyShould(true));
        }
        rules.add(noClasses()
                .that()
                .resideInAPackage(inBase("coordination.group"))
                .should()
                .dependOnClassesThat(resideInAPackage(inBase("coordination") + "..")
                        .and(not(resideInAnyPackage(
                                inBase("coordination.group", "coordination.session", "coordination.membership"))))
                        .and(not(nameMatching(inBase(STORED_FORMS) + "(\\$.*)?")))
                        .as("are of a job, not of a process or a member"))
                .allowEmptyShould(true));
        return CompositeArchRule.of(rules).as("rooms of coordination import only those before them");
    }

    /** 17: the kernel names nothing that plugs in: sources of runs, ends of firings, reports, groups. */
    public ArchRule kernelStandsAlone() {
        return noClasses()
                .that()
                .resideInAnyPackage(inBase(KERNEL.toArray(String[]::new)))
                .and(not(nameMatching("\\Q" + basePackage + ".\\E" + NOT_YET_FREE)))
                .should()
                .dependOnClassesThat(resideInAnyPackage(inBase(PLUGGED_IN.toArray(String[]::new)))
                        .or(nameMatching("\\Q" + inBase("coordination.run") + ".\\E" + SOURCES_OF_RUNS))
                        .as("plug in"))
                .allowEmptyShould(true)
                .as("the kernel of coordination stands alone");
    }

    private ArchRule onlyIn(DescribedPredicate<? super JavaClass> place, String reason, String... foreign) {
        return noClasses()
                .that(not(place))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(foreign)
                .allowEmptyShould(true)
                .because(reason);
    }

    private DescribedPredicate<JavaClass> allExcept(String own, List<String> allowed) {
        List<String> lawful = new ArrayList<>(allowed);
        lawful.add(own);
        return resideInAPackage(basePackage + "..")
                .and(not(resideInAnyPackage(inBase(lawful.toArray(String[]::new)))))
                .as("are ours, outside " + lawful);
    }

    private String inBase(String name) {
        return basePackage + "." + name;
    }

    private String[] inBase(String... names) {
        return List.of(names).stream().map(this::inBase).toArray(String[]::new);
    }

    private static JavaClass outermost(JavaClass type) {
        return type.getEnclosingClass().map(ArchitectureRules::outermost).orElse(type);
    }
}
