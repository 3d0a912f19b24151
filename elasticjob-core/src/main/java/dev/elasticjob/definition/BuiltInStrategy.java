package dev.elasticjob.definition;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.text.NearestName;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The sharding strategies that every instance has, by the names that {@code jobShardingStrategyClass} refers to. The first
 * three also answer to the class names of Elastic-Job 2.1.5, so that an adopted definition keeps its meaning.
 */
public enum BuiltInStrategy {
    AVG_ALLOCATION("AverageAllocationJobShardingStrategy"),
    ODEVITY("OdevitySortByNameJobShardingStrategy"),
    ROUND_ROBIN("RotateServerByNameJobShardingStrategy"),
    STICKY(""),
    ZONE(""),
    WEIGHTED(""),
    SPREAD(""),
    MEASURED("");

    private static final String PACKAGE_OF_2_1_5 = "com.dangdang.ddframe.job.lite.api.strategy.impl.";
    /** Names of beans are seldom written in capitals. */
    private static final Pattern IN_CAPITALS = Pattern.compile("[A-Z][A-Z0-9_-]{3,}");

    private static final Pattern BETWEEN_WORDS = Pattern.compile("[_-]");

    private final String classOf215;

    BuiltInStrategy(String simpleNameOf215) {
        this.classOf215 = simpleNameOf215.isEmpty() ? "" : PACKAGE_OF_2_1_5 + simpleNameOf215;
    }

    /** The one that a name or a class name of 2.1.5 stands for; empty for any other text, also an empty one. */
    public static Optional<BuiltInStrategy> of(String written) {
        String wanted = written.strip();
        return Stream.of(values())
                .filter(strategy ->
                        strategy.name().equals(wanted) || (!wanted.isEmpty() && strategy.classOf215.equals(wanted)))
                .findFirst();
    }

    /** The names, in the order in which messages list them. */
    public static List<String> names() {
        return Stream.of(values()).map(BuiltInStrategy::name).toList();
    }

    /** Whether a job names a strategy that is none of these, so that its application needs a bean of the name. */
    public static boolean isNotNamedBy(JobDefinition definition) {
        String written = definition.jobShardingStrategyClass();
        return !written.isBlank() && of(written).isEmpty();
    }

    /**
     * What is wrong with a name that is probably one of these with a typo: in capitals, a letter or a few off, and without
     * words in front or behind, as a variant of one's own would have them. For settings of operators: nobody knows which
     * beans the application has.
     */
    public static Optional<Violation> misspelt(JobDefinition definition) {
        String written = definition.jobShardingStrategyClass().strip();
        return NearestName.to(written, names())
                .filter(meant -> isNotNamedBy(definition)
                        && IN_CAPITALS.matcher(written).matches()
                        && words(written) <= words(meant))
                .map(meant -> new Violation(
                        JobSettings.JOB_SHARDING_STRATEGY_CLASS.name(),
                        written,
                        "there is no such strategy (did you mean \"%s\"?); expected one of %s, or the name of a ShardingStrategy bean"
                                .formatted(meant, String.join(", ", names()))));
    }

    private static int words(String name) {
        return BETWEEN_WORDS.split(name).length;
    }
}
