package dev.elasticjob.console.api;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.command.VersionedDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Several definitions as one block of an {@code application.yml}. In place of one that can't be used stands a comment; what
 * was removed meanwhile isn't there.
 */
final class DeclaredJobs {
    /** Each of them has it by itself, after comments of its own. */
    private static final String HEAD = "elasticjob:\n  jobs:\n";

    /** Of the names of jobs. */
    private static final int INDENT = 4;

    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private DeclaredJobs() {}

    /**
     * Reads each definition by a request of its own.
     *
     * @param parameters of a job
     */
    static CompletionStage<String> read(
            JobAdmin admin, Collection<String> jobs, Function<String, Parameters> parameters) {
        List<CompletableFuture<String>> each = new ArrayList<>();
        for (String job : jobs) {
            each.add(admin.versionedDefinition(job)
                    .thenApply(found -> body(found, parameters.apply(job)))
                    .exceptionallyCompose(failure -> withoutDefinition(job, failure))
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
                .thenApply(all -> HEAD
                        + String.join(
                                "", each.stream().map(CompletableFuture::join).toList()));
    }

    private static String body(VersionedDefinition definition, Parameters parameters) {
        String whole = parameters.yaml(definition);
        int head = whole.indexOf(HEAD);
        if (head < 0) {
            throw new IllegalStateException("Expected a block of elasticjob.jobs, but found: " + whole);
        }
        String comments = whole.substring(0, head).indent(INDENT);
        return comments + whole.substring(head + HEAD.length());
    }

    private static CompletionStage<String> withoutDefinition(String job, Throwable failure) {
        Throwable cause = CommandResponses.cause(failure);
        if (cause instanceof UnreadableDefinitionException) {
            return CompletableFuture.completedFuture("    # %s: the settings can't be used\n"
                    .formatted(CONTROL.matcher(job).replaceAll("?")));
        }
        return cause instanceof UnknownTargetException
                ? CompletableFuture.completedFuture("")
                : CompletableFuture.failedFuture(failure);
    }
}
