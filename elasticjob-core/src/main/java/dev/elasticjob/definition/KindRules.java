package dev.elasticjob.definition;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What is known of the jobs of one kind without running them: what generic code asks instead of comparing types. Pure.
 */
public sealed interface KindRules permits CodeRules, ScriptRules, HttpRules, ApplicationRules {
    /** The kinds that every instance has, in the order in which people are told of them. */
    static List<KindRules> builtIn() {
        return BuiltInKinds.ALL;
    }

    /** The rules of a type; those of an application's kind if it is not built in. */
    static KindRules of(JobType type) {
        return builtIn().stream()
                .filter(kind -> kind.type().equals(type))
                .findFirst()
                .orElseGet(() -> ofApplication(type, any -> true));
    }

    /**
     * The rules of a kind that an application has brought.
     *
     * @param deciding which of its job properties the registry may not decide alone; all, where the kind isn't known
     */
    static KindRules ofApplication(JobType type, Predicate<String> deciding) {
        return new ApplicationRules(type, deciding);
    }

    /** What stands in front of the names of the job properties of an application's kind. */
    static String prefix(JobType type) {
        return ApplicationRules.prefix(type);
    }

    JobType type();

    /** Whether the definition alone describes the work. */
    boolean isWithoutCode();

    /** The settings that only jobs of this kind have. */
    default List<Setting<?>> settings() {
        return List.of();
    }

    /**
     * The class that the tools of 2.1.5 see of a job without one, which they require. Empty if they can't hold such jobs: these
     * are stored whole, in the extension.
     */
    default Optional<String> classInConfig() {
        return Optional.empty();
    }

    /** What is wrong with a job of this kind, besides the limits of single settings. */
    default List<Violation> check(JobDefinition job) {
        return List.of();
    }

    /** What a job of another kind has that it must not have. */
    default List<Violation> checkOther(JobDefinition job) {
        return List.of();
    }

    /** Settings and parts of settings that may contain secrets, by name. */
    default Set<String> secrets() {
        return Set.of();
    }

    /** What the registry may not decide alone. */
    Work work(JobDefinition job);

    /** The setting that has it, or the part of one. */
    String workSetting();

    /** A job as the registry has it, but with the work that this instance declares. */
    JobDefinition withWorkOf(JobDefinition declared, JobDefinition stored);

    /** Why an instance doesn't run such a job only because the registry says so, and what would change it; empty if it does. */
    Optional<String> objection(JobDefinition kept, TrustedWork trust);

    /**
     * What a job does.
     *
     * @param called what it is called in messages
     * @param value which is compared
     * @param text which is shown
     */
    record Work(String called, Object value, String text) {
        static Work of(String called, String text) {
            return new Work(called, text, text);
        }

        @Override
        public String toString() {
            return "%s \"%s\"".formatted(called, text);
        }
    }
}
