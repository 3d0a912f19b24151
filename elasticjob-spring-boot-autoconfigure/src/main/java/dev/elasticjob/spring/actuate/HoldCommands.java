package dev.elasticjob.spring.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.DrainAnswer;
import dev.elasticjob.admin.command.PauseAnswer;
import dev.elasticjob.admin.command.PausedBy;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** The endpoint's commands that keep jobs or instances from starting anything, and those that let them go on. */
final class HoldCommands {
    /** For one job. */
    static final List<String> OF_JOB = List.of("pause", "resume", "drain", "undrain");

    /** For all jobs of the namespace. */
    static final List<String> OF_NAMESPACE =
            List.of("pause-all", "resume-all", "drain-all", "undrain-all", "confirm-data-loss");

    private HoldCommands() {}

    /**
     * What a pause has done, or its end.
     *
     * @param job null for all jobs of the namespace
     * @param changed false if it was already so
     * @param inForce whether nothing starts any more; true at once if it was ended
     * @param notYet the jobs for which it is stored but not in force, because no leader has answered in time
     * @param paused what pauses the job, or the namespace, now
     */
    @JsonInclude(Include.NON_NULL)
    public record PauseBody(
            @Nullable String job,
            String command,
            String actor,
            boolean changed,
            boolean inForce,
            SortedSet<String> notYet,
            @Nullable PausedBy paused)
            implements OperationResponseBody {
        static PauseBody of(@Nullable String job, String command, String actor, PauseAnswer answer) {
            return new PauseBody(
                    job,
                    command,
                    actor,
                    answer.changed(),
                    answer.inForce(),
                    answer.notYet(),
                    answer.paused().orElse(null));
        }
    }

    /** What a drain has done, or its end. */
    public record DrainBody(String job, String command, String actor, String instance, boolean changed, boolean inForce)
            implements OperationResponseBody {}

    /** What a drain out of all jobs has done, or its end, by the job's name. */
    public record DrainsBody(String command, String actor, String instance, SortedMap<String, DrainAnswer> jobs)
            implements OperationResponseBody {}

    /**
     * An operator knows that the registry has lost its data.
     *
     * @param changed false if there was no loss to confirm
     */
    public record ConfirmedBody(String command, String actor, boolean changed) implements OperationResponseBody {}

    /** @param given an instance, of a drain */
    static Function<JobAdmin, CompletionStage<OperationResponseBody>> ofJob(
            String actor, String job, String command, GivenValues given) {
        return switch (command) {
            case "pause" -> admin -> admin.pause(job).thenApply(answer -> PauseBody.of(job, command, actor, answer));
            case "resume" -> admin -> admin.resume(job).thenApply(answer -> PauseBody.of(job, command, actor, answer));
            case "drain" -> drained(actor, job, command, given, (admin, id) -> admin.drain(job, id));
            case "undrain" -> drained(actor, job, command, given, (admin, id) -> admin.undrain(job, id));
            default -> throw unknown(OF_JOB, command);
        };
    }

    /** @param given an instance, of a drain */
    static Function<JobAdmin, CompletionStage<OperationResponseBody>> ofNamespace(
            String actor, String command, GivenValues given) {
        return switch (command) {
            case "pause-all" ->
                admin -> admin.pauseAll().thenApply(answer -> PauseBody.of(null, command, actor, answer));
            case "resume-all" ->
                admin -> admin.resumeAll().thenApply(answer -> PauseBody.of(null, command, actor, answer));
            case "confirm-data-loss" ->
                admin -> admin.confirmDataLoss().thenApply(changed -> new ConfirmedBody(command, actor, changed));
            case "drain-all" -> drainedAll(actor, command, given, JobAdmin::drainAll);
            case "undrain-all" -> drainedAll(actor, command, given, JobAdmin::undrainAll);
            default -> throw unknown(OF_NAMESPACE, command);
        };
    }

    private static Function<JobAdmin, CompletionStage<OperationResponseBody>> drained(
            String actor,
            String job,
            String command,
            GivenValues given,
            BiFunction<JobAdmin, String, CompletionStage<DrainAnswer>> drain) {
        Optional<String> instance = given.required("instance", given::name);
        return admin -> {
            String id = instance.orElseThrow();
            return drain.apply(admin, id)
                    .thenApply(answer -> new DrainBody(job, command, actor, id, answer.changed(), answer.inForce()));
        };
    }

    private static Function<JobAdmin, CompletionStage<OperationResponseBody>> drainedAll(
            String actor,
            String command,
            GivenValues given,
            BiFunction<JobAdmin, String, CompletionStage<SortedMap<String, DrainAnswer>>> drain) {
        Optional<String> instance = given.required("instance", given::name);
        return admin -> {
            String id = instance.orElseThrow();
            return drain.apply(admin, id).thenApply(jobs -> new DrainsBody(command, actor, id, jobs));
        };
    }

    static IllegalArgumentException unknown(List<String> commands, String command) {
        return new IllegalArgumentException("Expected a command of %s, but it was \"%s\"".formatted(commands, command));
    }
}
