package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.JobType;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** The settings of a job, whose components {@link DeclaredSettings} reads by their names. */
final class JobPropertiesHints implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        List.of(ElasticJobProperties.Job.class, ElasticJobProperties.JobRetry.class, ElasticJobProperties.Http.class)
                .forEach(type -> hints.reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS));
        // Its factory method converts the text of the property.
        hints.reflection().registerType(JobType.class, MemberCategory.INVOKE_PUBLIC_METHODS);
    }
}
