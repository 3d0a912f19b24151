package dev.elasticjob.admin.command;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.definition.codec.SettingChange;
import dev.elasticjob.job.Failures;
import dev.elasticjob.job.event.JobEvent;
import dev.elasticjob.registry.RegistryAnswer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reports each command once: as a log line and an event with its actor, what was before, and what came of it.
 *
 * @param events receives the events
 * @param actor carries out the commands
 * @param registry is named in the log lines, for a process that operates several; empty to name none
 * @param history keeps the last ones of each job; empty to keep none
 */
public record CommandLog(Consumer<JobEvent> events, Actor actor, String registry, Optional<CommandHistory> history) {
    private static final Logger log = LoggerFactory.getLogger(CommandLog.class);

    /** For a process that operates one registry. */
    public CommandLog(Consumer<JobEvent> events, Actor actor) {
        this(events, actor, "");
    }

    /** Keeps no commands. */
    public CommandLog(Consumer<JobEvent> events, Actor actor, String registry) {
        this(events, actor, registry, Optional.empty());
    }

    /** The same that keeps the last commands of each job in the registry. */
    public CommandLog keptIn(CommandHistory kept) {
        return new CommandLog(events, actor, registry, Optional.of(kept));
    }

    /** The same for another actor. */
    public CommandLog by(Actor other) {
        return new CommandLog(events, other, registry, history);
    }

    /** @param command what is to be done, for example {@code disable item 3} */
    public Command begin(String jobName, String command) {
        return new Command(this, jobName, place() + "Job \"%s\"".formatted(jobName), command);
    }

    /** @param command what is to be done with all jobs of the namespace at once */
    Command beginForAll(String command) {
        return new Command(this, JobEvent.CommandEnded.ALL_JOBS, place() + "All jobs of the namespace", command);
    }

    private String place() {
        return registry.isEmpty() ? "" : "Registry \"%s\": ".formatted(registry);
    }

    /** One command under way. Its state before is read with it, at the latest attempt. Thread-safe. */
    public static final class Command {
        private final CommandLog to;
        private final String jobName;
        private final String subject;
        private final String text;
        private volatile String before = "";
        private volatile String planned = "nothing to change";
        private volatile List<String> changed = List.of();
        private volatile List<SettingChange> settings = List.of();
        private volatile Optional<RegistryAnswer> job = Optional.empty();

        private Command(CommandLog to, String jobName, String subject, String text) {
            this.to = to;
            this.jobName = jobName;
            this.subject = subject;
            this.text = text;
        }

        /** What the command is about to change, as it was read. */
        public void found(String state) {
            before = state;
        }

        /** The job's definition and {@link CommandHistory#reads}, as they were read: keeping the command needs no read then. */
        public void read(RegistryAnswer answer) {
            job = Optional.of(answer);
        }

        /** What the command changes, as it was decided at the latest attempt. */
        public void plans(List<String> changes) {
            planned = changes.isEmpty() ? "nothing to change" : String.join("; ", changes);
            changed = changes.stream()
                    .map(change -> change.substring(0, Math.max(0, change.indexOf(':'))))
                    .toList();
        }

        /** The settings that the command changes, to be kept with it. */
        public void changes(List<SettingChange> differing) {
            settings = differing;
        }

        public String planned() {
            return planned;
        }

        /** Reports the end of the stage, and keeps the command if it has succeeded. */
        public <T> CompletionStage<T> reporting(CompletionStage<T> carriedOut, Function<T, String> outcome) {
            return carriedOut
                    .whenComplete((result, error) -> {
                        if (error != null) {
                            report(false, oneLine(reason(Stages.unwrap(error))));
                        }
                    })
                    .thenCompose(result -> {
                        String said = outcome.apply(result);
                        report(true, said);
                        return keep(said).thenApply(done -> result);
                    });
        }

        private CompletionStage<Void> keep(String outcome) {
            return jobName.equals(JobEvent.CommandEnded.ALL_JOBS)
                    ? CompletableFuture.completedFuture(null)
                    : to.history
                            .map(history -> history.add(jobName, to.actor, text, before, kept(outcome), settings, job))
                            .orElse(CompletableFuture.completedFuture(null));
        }

        /** Of settings, only the names: their values are kept beside it, with secrets masked. */
        private String kept(String outcome) {
            return changed.isEmpty() ? outcome : "changed " + String.join(", ", changed);
        }

        private void report(boolean succeeded, String outcome) {
            Actor actor = to.actor;
            String why =
                    actor.reason().map(reason -> ". Reason: " + oneLine(reason)).orElse("");
            String was = before.isEmpty() ? "" : " (before: " + oneLine(before) + ")";
            if (succeeded) {
                // What the engine has done by itself, nobody knows of.
                Level level = name().equals(PausedBy.AFTER_FAILURES) ? Level.WARN : Level.INFO;
                log.atLevel(level)
                        .log("{}: \"{}\" carried out \"{}\"{}: {}{}", subject, name(), text, was, outcome, why);
            } else {
                log.warn("{}: \"{}\" could not carry out \"{}\"{}: {}{}", subject, name(), text, was, outcome, why);
            }
            to.events.accept(
                    new JobEvent.CommandEnded(jobName, text, actor.name(), actor.reason(), before, succeeded, outcome));
        }

        /** Refusals say what to do; the class of the exception adds nothing. */
        private static String reason(Throwable error) {
            boolean refusal = error instanceof IllegalArgumentException || error instanceof IllegalStateException;
            String message = refusal ? error.getMessage() : null;
            return message == null ? Failures.text(error) : message;
        }

        private String name() {
            return oneLine(to.actor.name());
        }

        private static String oneLine(String text) {
            return text.replaceAll("\\p{Cntrl}+", " ");
        }
    }
}
