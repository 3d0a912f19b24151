package dev.elasticjob.spring.autoconfigure;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.springframework.boot.context.properties.bind.BindResult;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertyNameAliases;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The properties below {@code elasticjob.jobs}, bound for each job by its name. What can't be read counts as not set: {@link
 * SettingProblems} reports it.
 *
 * <p>A key in brackets belongs to the job of exactly that name. Any other key belongs to the job with the same letters
 * and digits, whatever their case and the characters between them: an environment variable can only address {@code
 * my-job}, {@code myJob} or {@code my.job} as {@code ELASTICJOB_JOBS_MYJOB_CRON}. If a job has keys of both kinds, the
 * property source with the higher precedence wins, property by property.
 *
 * <p>Binding asks each source for each setting, so the settings of a job are bound once. Confined to the thread that starts
 * the application.
 */
final class JobProperties {
    static final ConfigurationPropertyName JOBS = ConfigurationPropertyName.of("elasticjob.jobs");

    private final Environment environment;
    private final List<ConfigurationPropertySource> sources;
    private final Set<ConfigurationPropertyName> inBrackets;
    private final Set<Key> keys;
    private final Map<String, ElasticJobProperties.Job> bound = new HashMap<>();

    /**
     * The part of a property name that stands for a job.
     *
     * @param exact whether it is written in brackets
     * @param listed whether it is the number of an element of a list
     */
    record Key(String written, boolean exact, boolean fromEnvironment, boolean listed) {
        boolean isFor(String jobName) {
            return exact
                    ? written.equals(jobName)
                    : !uniform(jobName).isEmpty() && uniform(written).equals(uniform(jobName));
        }

        String property() {
            return JOBS + (exact || listed ? "[" + written + "]" : "." + written);
        }
    }

    JobProperties(Environment environment) {
        this.environment = environment;
        this.sources = StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .toList();
        this.keys = sources.stream().flatMap(JobProperties::keys).collect(Collectors.toCollection(LinkedHashSet::new));
        this.inBrackets = sources.stream()
                .flatMap(JobProperties::names)
                .filter(name -> key(name, false).exact())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    ElasticJobProperties.Job of(String jobName) {
        return bound.computeIfAbsent(jobName, name -> bind(name).orElseGet(JobProperties::nothing));
    }

    /** As a job has them of which no property says anything. */
    private static ElasticJobProperties.Job nothing() {
        return new Binder().bindOrCreate(JOBS.toString(), Bindable.of(ElasticJobProperties.Job.class));
    }

    private BindResult<ElasticJobProperties.Job> bind(String jobName) {
        String element = dashed(jobName);
        if (element.isEmpty()) {
            return bind(JOBS.append("[" + jobName + "]"), sources);
        }
        ConfigurationPropertyName prefix = JOBS.append(element);
        var aliases = new ConfigurationPropertyNameAliases();
        inBrackets.stream()
                .filter(name -> key(name, false).isFor(jobName))
                .filter(name -> name.getNumberOfElements() > prefix.getNumberOfElements())
                .forEach(name -> aliases.addAliases(name, prefix.append(name.subName(prefix.getNumberOfElements()))));
        return bind(
                prefix,
                sources.stream().map(source -> source.withAliases(aliases)).toList());
    }

    private BindResult<ElasticJobProperties.Job> bind(
            ConfigurationPropertyName prefix, List<ConfigurationPropertySource> readable) {
        return new Binder(readable, new PropertySourcesPlaceholdersResolver(environment))
                .bind(prefix, Bindable.of(ElasticJobProperties.Job.class), new TolerantBinding(environment));
    }

    /**
     * The names of further jobs in the properties; a name from an environment variable counts only if there is no
     * other.
     */
    Set<String> namesBeside(Collection<String> declared) {
        Set<Key> others = keysBeside(declared);
        Set<String> names = new TreeSet<>();
        for (Key key : others) {
            boolean namedElsewhere = others.stream()
                    .anyMatch(other -> !other.fromEnvironment() && key.isFor(other.written()) && !key.equals(other));
            if (!key.listed() && (!key.fromEnvironment() || !namedElsewhere)) {
                names.add(key.written());
            }
        }
        return names;
    }

    /** Keys of other jobs, except those without any setting below, which are part of a longer name. */
    Set<Key> keysBeside(Collection<String> declared) {
        return keys.stream()
                .filter(key -> declared.stream().noneMatch(key::isFor))
                .filter(key -> bind(key.written()).isBound())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Keys that belong to more than one of these jobs. */
    Set<Key> ambiguous(Collection<String> declared) {
        return keys.stream()
                .filter(key -> declared.stream().filter(key::isFor).distinct().count() > 1)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Stream<Key> keys(ConfigurationPropertySource source) {
        boolean fromEnvironment = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
        return names(source).map(name -> key(name, fromEnvironment));
    }

    private static Key key(ConfigurationPropertyName name, boolean fromEnvironment) {
        int index = JOBS.getNumberOfElements();
        String written = name.getElement(index, Form.ORIGINAL);
        // Spring Boot ignores brackets around names of lower-case letters and digits.
        boolean exact = name.chop(index + 1).isLastElementIndexed() && !written.equals(uniform(written));
        return new Key(written, exact, fromEnvironment, isListed(name));
    }

    /** Whether a list was written instead of the map from jobs to their settings. */
    static boolean isListed(ConfigurationPropertyName name) {
        return JOBS.isAncestorOf(name) && name.isNumericIndex(JOBS.getNumberOfElements());
    }

    private static Stream<ConfigurationPropertyName> names(ConfigurationPropertySource source) {
        return source instanceof IterableConfigurationPropertySource iterable
                ? iterable.stream().filter(JOBS::isAncestorOf)
                : Stream.empty();
    }

    private static String uniform(String name) {
        return dashed(name).replace("-", "");
    }

    private static String dashed(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-", "");
    }
}
