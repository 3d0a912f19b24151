package dev.elasticjob.console.api;

import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.table.DryRun;
import dev.elasticjob.admin.table.DryRunReads;
import dev.elasticjob.admin.table.GivenArguments;
import dev.elasticjob.admin.table.InvalidArgumentsException;
import dev.elasticjob.admin.table.OperatorCommand;
import dev.elasticjob.console.api.CommandLine.Instead;
import dev.elasticjob.console.web.Caller;
import dev.elasticjob.console.web.CommandBody;
import dev.elasticjob.console.web.InvalidRequestException;
import dev.elasticjob.console.web.InvalidRequestException.Violation;
import dev.elasticjob.console.web.Route.Call;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A command as the caller gives it. Its values have been checked. */
record Order(Call call, OperatorCommand command, GivenArguments given) {
    private static final String DRY_RUN = "dryRun";

    /** @throws InvalidRequestException with each value that can't be used, and each that the command doesn't take */
    static Order of(Call call, CommandLine line) {
        CommandBody body = call.body();
        Optional<Instead> instead = line.instead()
                .filter(other -> body.has(other.by()) && !body.shown(other.by()).equals("null"));
        CommandLine meant = instead.map(Instead::line).orElse(line);
        GivenArguments given = new GivenArguments(new GivenJson(call, body, meant.names()));
        line.instead().ifPresent(other -> given.know(other.by()));
        return checked(call, meant.command(), given, meant.command().taker());
    }

    /**
     * A command some of whose values were read before.
     *
     * @param taker what takes the values
     * @throws InvalidRequestException with everything that is wrong
     */
    static Order checked(Call call, OperatorCommand command, GivenArguments given, String taker) {
        command.read(given);
        String dryRun = call.parameter(DRY_RUN);
        if (!dryRun.isEmpty() && !dryRun.equals("true") && !dryRun.equals("false")) {
            given.refuse(DRY_RUN, dryRun, "expected true or false");
        }
        call.parameters().forEach((name, value) -> {
            if (!name.equals(DRY_RUN)) {
                given.refuse(name, value, "no such parameter: this command takes only " + DRY_RUN);
            }
        });
        end(given, taker);
        return new Order(call, command, given);
    }

    /** @throws InvalidRequestException with everything that is wrong with the values of a request */
    static void end(GivenArguments given, String taker) {
        try {
            given.end(taker);
        } catch (InvalidArgumentsException e) {
            throw new InvalidRequestException(e.violations().stream()
                    .map(one -> new Violation(one.setting(), one.found(), one.expected()))
                    .toList());
        }
    }

    /** The job that the path names; empty if it names none. */
    String job() {
        return call.variables().containsKey("job") ? call.name("job") : "";
    }

    /** Whether the caller only wants to know what would follow. */
    boolean isDryRun() {
        return call.parameter(DRY_RUN).equals("true");
    }

    CompletionStage<? extends DryRun> dryRun(ConsoleRegistry registry, String job) {
        DryRunReads reads = new DryRunReads(
                registry.inspector(), registry.admin(), registry.snapshots().now());
        return command.dryRun(reads, job, given);
    }

    Actor actor() {
        return command.actor(call.request().caller().map(Caller::name).orElse("anonymous"), given);
    }

    CompletionStage<?> carriedOut(ConsoleRegistry registry, String job) {
        return command.carryOut(registry.admin().by(actor()), job, given);
    }
}
