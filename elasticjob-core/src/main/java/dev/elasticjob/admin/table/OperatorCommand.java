package dev.elasticjob.admin.table;

import dev.elasticjob.admin.JobAdmin;
import dev.elasticjob.admin.command.Actor;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * One command of operators: a row of {@link CommandTable}, with all that is known about the command. It changes only while
 * it is written there.
 */
public final class OperatorCommand {
    private final String name;
    private final Scope scope;
    private List<Argument<?>> arguments = List.of(CommandArguments.REASON);
    private String description = "";
    private Ends ends = Ends.WHEN_STORED;
    private Call call = OperatorCommand::nothing;
    private Effects effects = OperatorCommand::nothing;

    private OperatorCommand(String name, Scope scope) {
        this.name = name;
        this.scope = scope;
    }

    static OperatorCommand ofJob(String name) {
        return new OperatorCommand(name, Scope.JOB);
    }

    static OperatorCommand ofNamespace(String name) {
        return new OperatorCommand(name, Scope.NAMESPACE);
    }

    /** What a command is for. */
    public enum Scope {
        JOB,
        NAMESPACE
    }

    /** When a command answers, besides the time that the registry takes. */
    public enum Ends {
        /** At once. */
        WHEN_STORED,
        /** When the instances follow it, or after {@link dev.elasticjob.admin.command.PauseAnswer#LONGEST_WAIT}. */
        WHEN_FOLLOWED,
        /** When executions have ended, for which nobody waits. */
        LATER
    }

    @FunctionalInterface
    interface Call {
        CompletionStage<?> carryOut(JobAdmin admin, String job, GivenArguments given);
    }

    @FunctionalInterface
    interface Effects {
        CompletionStage<? extends DryRun> read(DryRunReads reads, String job, GivenArguments given);
    }

    /** Its name in the endpoint. */
    public String name() {
        return name;
    }

    public Scope scope() {
        return scope;
    }

    /** Those that it takes, a reason among them, by name. */
    public List<Argument<?>> arguments() {
        return arguments;
    }

    /** What it does, in a sentence, for people. */
    public String description() {
        return description;
    }

    public Ends ends() {
        return ends;
    }

    /** The command as what takes the values of a request. */
    public String taker() {
        return "command \"%s\"".formatted(name);
    }

    /** Reads its arguments, which makes them known. */
    public void read(GivenArguments given) {
        arguments.forEach(given::find);
    }

    /** Who carries it out, with the reason that was given. */
    public Actor actor(String actor, GivenArguments given) {
        return Actor.named(actor).because(given.get(CommandArguments.REASON));
    }

    /**
     * Carries it out.
     *
     * @param job not looked at by a command for the namespace
     * @param given has been read
     */
    public CompletionStage<?> carryOut(JobAdmin admin, String job, GivenArguments given) {
        return call.carryOut(admin, job, given);
    }

    /** What it would do. Fails as the command does if there is no such job, or settings can't be used. */
    public CompletionStage<? extends DryRun> dryRun(DryRunReads reads, String job, GivenArguments given) {
        return effects.read(reads, job, given);
    }

    @Override
    public String toString() {
        return name;
    }

    // ------------------------------------------------------------------ how a row is written

    OperatorCommand takes(Argument<?>... own) {
        arguments = Stream.concat(Stream.of(own), Stream.of(CommandArguments.REASON))
                .sorted(Comparator.comparing(Argument::name))
                .toList();
        return this;
    }

    OperatorCommand calls(Call other) {
        call = other;
        return this;
    }

    OperatorCommand would(BiFunction<CommandEffects, GivenArguments, Preview> seen) {
        return wouldAfter(
                (reads, job, given) -> reads.seen(job).thenApply(there -> there.because(seen.apply(there, given))));
    }

    OperatorCommand wouldAfter(Effects other) {
        effects = other;
        return this;
    }

    OperatorCommand ends(Ends other) {
        ends = other;
        return this;
    }

    /** Its description. */
    OperatorCommand says(String text) {
        description = text;
        return this;
    }

    private static <A> CompletionStage<DryRun> nothing(A any, String job, GivenArguments given) {
        throw new IllegalStateException("A row without a call, or without effects");
    }
}
