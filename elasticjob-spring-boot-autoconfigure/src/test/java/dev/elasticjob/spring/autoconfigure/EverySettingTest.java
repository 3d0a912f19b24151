package dev.elasticjob.spring.autoconfigure;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.Setting;
import dev.elasticjob.definition.Setting.DeclaredBy;
import dev.elasticjob.spring.ElasticJob;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Whatever can be set in the annotation or as a property reaches the definition, from both the same; the property goes
 * first. A setting that is new in one of them needs a line in {@link #SAMPLES}.
 */
class EverySettingTest {
    /** Valid values that aren't the defaults, as people write them. */
    private static final Map<String, String> SAMPLES = new TreeMap<>(Map.ofEntries(
            entry("cron", "0 0 4 * * ?"),
            entry("timeZone", "Asia/Shanghai"),
            entry("every", "45s"),
            entry("fixedDelay", "46s"),
            entry("at", "2030-12-24T18:00:00Z"),
            entry("startAt", "2029-12-24T18:00:00Z"),
            entry("endAt", "2031-12-24T18:00:00Z"),
            entry("calendar", "SAT,SUN"),
            entry("moveToNextDay", "true"),
            entry("spread", "1s"),
            entry("runAtStart", "true"),
            entry("after", "import"),
            entry("afterOutcome", "FAILURE"),
            entry("afterWindow", "2h"),
            entry("shardingTotalCount", "7"),
            entry("shardingItemParameters", "0=Berlin"),
            entry("jobParameter", "fast"),
            entry("failover", "true"),
            entry("misfire", "false"),
            entry("misfireThreshold", "90s"),
            entry("maxFailovers", "9"),
            entry("timeout", "11s"),
            entry("retry.maxAttempts", "4"),
            entry("retry.delay", "3s"),
            entry("retry.multiplier", "2.5"),
            entry("retry.maxDelay", "20s"),
            entry("retry.jitter", "1ms"),
            entry("retry.includes", "java.lang.IllegalStateException"),
            entry("retry.excludes", "java.lang.IllegalArgumentException"),
            entry("concurrency", "6"),
            entry("beforeFirstTimeout", "12s"),
            entry("afterLastTimeout", "13s"),
            entry("stuckAfter", "14m"),
            entry("expectWithin", "15m"),
            entry("pauseAfterFailures", "5"),
            entry("overlap", "SKIP"),
            entry("jitter", "1s"),
            entry("catchUp", "EACH"),
            entry("catchUpLimit", "7"),
            entry("catchUpWindow", "18m"),
            entry("runOn", "zone in (a,b)"),
            entry("weight", "2"),
            entry("itemWeights", "0=4"),
            entry("jobExceptionHandler", "THROW"),
            entry("executorServiceHandler", "own"),
            entry("description", "Nightly orders"),
            entry("jobProperties", "region=eu"),
            entry("monitorExecution", "false"),
            entry("maxTimeDiffSeconds", "16"),
            entry("monitorPort", "9888"),
            entry("jobShardingStrategyClass", "own"),
            entry("reconcileIntervalMinutes", "17"),
            entry("disabled", "true"),
            entry("overwrite", "true"),
            entry("streamingProcess", "true"),
            entry("scriptCommandLine", "other.sh"),
            entry("http.uri", "http://localhost/other"),
            entry("http.method", "PUT"),
            entry("http.body", "other"),
            entry("http.contentType", "text/xml"),
            entry("http.headers", "X-Region=eu"),
            entry("http.connectTimeout", "18s"),
            entry("http.responseTimeout", "19s")));

    /** Say which job it is, and of which kind. */
    private static final Set<String> OF_DECLARATION = Set.of("name", "enabled", "bean", "jobType");

    /** Are job properties, which have names of their own where they are declared. */
    private static final Set<String> HANDLERS = Set.of("jobExceptionHandler", "executorServiceHandler");

    private static final Set<String> PARTS_OF_AFTER = Set.of("afterOutcome", "afterWindow");

    /** What some settings need beside them. */
    private static Map<String, String> base(String setting) {
        if (Set.of("runAtStart", "after", "every", "fixedDelay", "at").contains(setting)) {
            return Map.of();
        }
        if (setting.equals("moveToNextDay")) {
            return Map.of("cron", "* * * * * ?", "calendar", "SAT");
        }
        if (setting.startsWith("catchUp") && !setting.equals("catchUp")) {
            return Map.of("cron", "* * * * * ?", "catchUp", "EACH");
        }
        if (setting.startsWith("after") && !setting.equals("afterLastTimeout")) {
            return Map.of("after", "import");
        }
        if (setting.startsWith("retry.") && !setting.equals("retry.maxAttempts")) {
            return Map.of("cron", "* * * * * ?", "retry.maxAttempts", "2", "retry.delay", "2s");
        }
        return switch (kind(setting).name()) {
            case "SCRIPT" -> Map.of("cron", "* * * * * ?", "scriptCommandLine", "any.sh");
            case "HTTP" ->
                Map.of(
                        "cron",
                        "* * * * * ?",
                        "http.uri",
                        "http://localhost",
                        "http.method",
                        "POST",
                        "http.body",
                        "any");
            default -> Map.of("cron", "* * * * * ?");
        };
    }

    private static JobType kind(String setting) {
        if (setting.startsWith("http.")) {
            return JobType.HTTP;
        }
        return setting.equals("scriptCommandLine")
                ? JobType.SCRIPT
                : setting.equals("streamingProcess") ? JobType.DATAFLOW : JobType.SIMPLE;
    }

    @Test
    void eachSettingHasASample() {
        assertThat(SAMPLES.keySet()).isEqualTo(properties());
        assertThat(SAMPLES.keySet()).containsAll(attributes());
    }

    /** In both directions: what a row says of itself, and nothing that has no row. */
    @Test
    void theRowsAreTheAttributesAndTheProperties() {
        assertThat(rowsOf(attributes())).isEqualTo(rows(DeclaredBy.ANNOTATION_OR_PROPERTY));
        assertThat(rowsOf(properties(), "jobType"))
                .isEqualTo(rows(DeclaredBy.ANNOTATION_OR_PROPERTY, DeclaredBy.PROPERTY));
    }

    @Test
    void anAnnotationThatSaysNothingMeansTheDefaultsOfTheRows() {
        assertThat(merged(JobType.SIMPLE, Map.of(), Map.of()))
                .isEqualTo(JobDefinition.builder("orders").build());
    }

    @Test
    void aNativeImageMayReadTheComponents() {
        var hints = new RuntimeHints();

        new JobPropertiesHints().registerHints(hints, null);

        assertThat(Stream.of(
                                ElasticJobProperties.Job.class,
                                ElasticJobProperties.JobRetry.class,
                                ElasticJobProperties.Http.class)
                        .flatMap(type -> Stream.of(type.getRecordComponents())))
                .extracting(RecordComponent::getAccessor)
                .allMatch(accessor -> RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(accessor)
                        .test(hints));
    }

    @ParameterizedTest
    @MethodSource("properties")
    void aPropertyReachesTheDefinition(String setting) {
        JobDefinition without = byProperties(kind(setting), base(setting));
        JobDefinition with = byProperties(kind(setting), with(base(setting), setting));

        assertThat(with).isNotEqualTo(without);
        assertThat(withEachOther(setting)).doesNotContain(with);
    }

    @ParameterizedTest
    @MethodSource("attributes")
    void anAttributeMeansWhatThePropertyMeansWhichGoesFirst(String setting) {
        Map<String, String> given = with(base(setting), setting);
        JobDefinition byProperties = byProperties(kind(setting), given);
        Map<String, String> other = new HashMap<>(base(setting));
        other.remove(setting);

        assertThat(merged(kind(setting), given, Map.of())).isEqualTo(byProperties);
        assertThat(merged(kind(setting), other, given)).isEqualTo(byProperties);
    }

    /** What the other settings of the same kind of job make of the same base. */
    private static Stream<JobDefinition> withEachOther(String setting) {
        return properties().stream()
                .filter(other -> !other.equals(setting)
                        && kind(other).equals(kind(setting))
                        && base(other).equals(base(setting)))
                .map(other -> byProperties(kind(setting), with(base(setting), other)));
    }

    private static Map<String, String> with(Map<String, String> base, String setting) {
        Map<String, String> given = new HashMap<>(base);
        given.put(setting, SAMPLES.get(setting));
        return given;
    }

    /** A job that has a sample of this setting. */
    static JobDefinition sample(String setting) {
        return byProperties(kind(setting), with(base(setting), setting));
    }

    private static JobDefinition byProperties(JobType kind, Map<String, String> given) {
        return merged(kind, Map.of(), given);
    }

    private static JobDefinition merged(JobType kind, Map<String, String> annotated, Map<String, String> given) {
        Declared declared = Declared.byAnnotation("orders", "orders", annotation(annotated), "a test");
        DefinitionMerge merge = new DefinitionMerge(
                declared,
                bound(given),
                text -> text,
                KnownNames.ANY,
                new Calendars(Map.of(), Map.of(), LocalDate.EPOCH));
        return merge.definition(kind, "")
                .orElseThrow(() -> new AssertionError("%s, %s: %s".formatted(annotated, given, merge.violations())));
    }

    private static ElasticJobProperties.Job bound(Map<String, String> given) {
        Map<String, Object> properties = new HashMap<>();
        given.forEach((setting, value) -> {
            boolean pair = setting.equals("jobProperties") || setting.equals("http.headers");
            String[] parts = value.split("=", 2);
            String key = "elasticjob.jobs.orders." + setting;
            properties.put(pair ? key + "." + parts[0] : key, pair ? parts[1] : value);
        });
        var environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("given", properties));
        return new JobProperties(environment).of("orders");
    }

    // ------------------------------------------------------------------ the annotation

    private static ElasticJob annotation(Map<String, String> given) {
        Map<String, Object> attributes = values(ElasticJob.class, "", given);
        attributes.put("name", "orders");
        attributes.put(
                "retry",
                AnnotationUtils.synthesizeAnnotation(
                        values(ElasticJob.Retry.class, "retry.", given), ElasticJob.Retry.class, null));
        return AnnotationUtils.synthesizeAnnotation(attributes, ElasticJob.class, null);
    }

    private static Map<String, Object> values(
            Class<? extends Annotation> type, String prefix, Map<String, String> given) {
        Map<String, Object> values = new HashMap<>();
        for (Method attribute : type.getDeclaredMethods()) {
            String value = given.get(prefix + attribute.getName());
            if (value != null) {
                values.put(attribute.getName(), value(value, attribute.getReturnType()));
            }
        }
        return values;
    }

    private static Object value(String text, Class<?> type) {
        if (type != Class[].class) {
            return DefaultConversionService.getSharedInstance().convert(text, type);
        }
        try {
            return new Class<?>[] {Class.forName(text)};
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    // ------------------------------------------------------------------ what there is

    private static Set<String> rows(DeclaredBy... by) {
        return JobSettings.ALL.stream()
                .filter(row -> Set.of(by).contains(row.declaredBy()))
                .map(Setting::name)
                .collect(Collectors.toSet());
    }

    /** The rows of which these are settings, or parts. */
    private static Set<String> rowsOf(Set<String> settings, String... further) {
        return Stream.concat(settings.stream().filter(name -> !HANDLERS.contains(name)), Stream.of(further))
                .map(name -> PARTS_OF_AFTER.contains(name) ? "after" : name.split("\\.")[0])
                .collect(Collectors.toSet());
    }

    private static Set<String> attributes() {
        Set<String> names = names(ElasticJob.class, "");
        names.addAll(names(ElasticJob.Retry.class, "retry."));
        names.remove("retry");
        return names;
    }

    private static Set<String> names(Class<? extends Annotation> type, String prefix) {
        return Stream.of(type.getDeclaredMethods())
                .map(attribute -> prefix + attribute.getName())
                .filter(name -> !OF_DECLARATION.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static Set<String> properties() {
        Set<String> names = new TreeSet<>();
        for (RecordComponent component : ElasticJobProperties.Job.class.getRecordComponents()) {
            if (component.getType().isRecord()) {
                Stream.of(component.getType().getRecordComponents())
                        .forEach(part -> names.add(component.getName() + "." + part.getName()));
            } else if (!OF_DECLARATION.contains(component.getName())) {
                names.add(component.getName());
            }
        }
        return names;
    }
}
