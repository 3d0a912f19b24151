package dev.elasticjob.migration.output;

import dev.elasticjob.migration.conversion.ConvertedDocument;
import dev.elasticjob.migration.conversion.ConvertedJob;
import dev.elasticjob.migration.conversion.ConvertedJob.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What to paste into the code: an annotation for each job, or a bean for each one of a class that has several. */
public final class JavaText {
    private static final String HEADER = """
            // Converted by elasticjob-migration. In each class, replace the imports:
            //   import dev.elasticjob.job.SimpleJob;        // or DataflowJob
            //   import dev.elasticjob.job.ShardingContext;
            //   import dev.elasticjob.spring.ElasticJob;    // a method needs only this one
            """;

    private final Function<ConvertedJob, String> annotation;

    private JavaText(SettingsPlacement placement) {
        this.annotation = job ->
                placement == SettingsPlacement.ANNOTATIONS ? Annotation.ofSettings(job) : Annotation.ofName(job.name());
    }

    /** Whether the job is declared by a bean here, and not just changed. */
    static boolean isAnnotated(ConvertedDocument document, ConvertedJob job) {
        return job.kind().isBean() && document.profile().isEmpty() && isDeclared(job);
    }

    private static boolean isDeclared(ConvertedJob job) {
        return job.jobClass().isPresent() || job.bean().isPresent();
    }

    /** Empty if no job needs an annotation. */
    public static Optional<String> text(List<ConvertedDocument> documents, SettingsPlacement placement) {
        Map<String, ConvertedJob> byName = new LinkedHashMap<>();
        for (ConvertedDocument document : documents) {
            document.jobs().stream()
                    .filter(job -> job.kind().isBean())
                    .forEach(job -> byName.merge(job.name(), job, (one, other) -> isDeclared(one) ? one : other));
        }
        if (byName.isEmpty()) {
            return Optional.empty();
        }
        var text = new JavaText(placement);
        Map<String, List<ConvertedJob>> byPlace = byName.values().stream()
                .collect(Collectors.groupingBy(JavaText::place, LinkedHashMap::new, Collectors.toList()));
        return Optional.of(byPlace.entrySet().stream()
                .map(entry -> text.of(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining("\n", HEADER + "\n", "")));
    }

    private static String place(ConvertedJob job) {
        return job.jobClass()
                .or(() -> job.bean().map(bean -> "the class of the bean \"" + bean + "\""))
                .orElse("the class of the job \"" + job.name() + "\"");
    }

    private String of(String place, List<ConvertedJob> jobs) {
        if (jobs.size() == 1) {
            ConvertedJob job = jobs.get(0);
            return "// %s%s\n%s\n"
                    .formatted(
                            place,
                            job.kind() == Kind.DATAFLOW ? ", a DataflowJob" : "",
                            isDeclared(job) ? annotation.apply(job) : Annotation.ofName(job.name()));
        }
        String type = place.substring(Math.max(place.lastIndexOf('.'), place.lastIndexOf('$')) + 1);
        return jobs.stream()
                .map(job -> bean(type, job))
                .collect(Collectors.joining(
                        "\n",
                        "// %s has several jobs: add these methods to a class with @Configuration\n".formatted(place),
                        ""));
    }

    private String bean(String type, ConvertedJob job) {
        String method = job.name().replaceAll("[^A-Za-z0-9]", "_").replaceFirst("^([0-9])", "_$1");
        return """
                @Bean
                %s
                %s %s() {
                    return new %s();
                }
                """.formatted(annotation.apply(job), type, method + "Job", type);
    }
}
