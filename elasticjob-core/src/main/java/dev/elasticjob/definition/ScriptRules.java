package dev.elasticjob.definition;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.definition.text.ScriptCommand;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Jobs that run a program. */
record ScriptRules() implements KindRules {
    /**
     * What the parameters of a script may add to its last argument. Linux takes 128 KiB for one argument, and the rest of
     * the context needs at most 8 KiB.
     */
    private static final int MAX_ARGUMENT = 120 * 1024;

    @Override
    public JobType type() {
        return JobType.SCRIPT;
    }

    @Override
    public boolean isWithoutCode() {
        return true;
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(JobSettings.SCRIPT_COMMAND_LINE);
    }

    @Override
    public Optional<String> classInConfig() {
        return Optional.of("com.dangdang.ddframe.job.api.script.ScriptJob");
    }

    @Override
    public List<Violation> check(JobDefinition job) {
        return Stream.of(argument(job), command(job.scriptCommandLine()))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<Violation> command(String commandLine) {
        if (commandLine.isBlank()) {
            return Optional.of(wrong(commandLine, "a SCRIPT job needs a command line to run"));
        }
        try {
            ScriptCommand.parse(commandLine);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            String expected = "expected a program and its arguments, quoted where they contain spaces (%s)";
            return Optional.of(wrong(commandLine, expected.formatted(e.getMessage())));
        }
    }

    private static Violation wrong(String commandLine, String expected) {
        return new Violation(JobSettings.SCRIPT_COMMAND_LINE.name(), commandLine, expected);
    }

    /** A script receives its parameters as JSON in one argument, in which a character may take six bytes. */
    private static Optional<Violation> argument(JobDefinition job) {
        int ofJob = argumentBytes(job.jobParameter());
        int ofItem = job.itemParameters().values().stream()
                .mapToInt(ScriptRules::argumentBytes)
                .max()
                .orElse(0);
        if (ofJob + ofItem <= MAX_ARGUMENT) {
            return Optional.empty();
        }
        Setting<String> longest = ofJob >= ofItem ? JobSettings.JOB_PARAMETER : JobSettings.SHARDING_ITEM_PARAMETERS;
        String expected = "a script receives jobParameter and its item's parameter in one argument, as JSON in ASCII,"
                + " where they may have %d bytes together; write long ones to a file, and pass its name";
        return Optional.of(new Violation(longest.name(), ofJob + ofItem + " bytes", expected.formatted(MAX_ARGUMENT)));
    }

    private static int argumentBytes(String text) {
        return text.chars()
                .map(c -> switch (c) {
                    case '"', '\\', '\b', '\t', '\n', '\f', '\r' -> 2;
                    default -> c >= ' ' && c < 0x80 ? 1 : 6;
                })
                .sum();
    }

    @Override
    public Work work(JobDefinition job) {
        return Work.of("command line", job.scriptCommandLine());
    }

    @Override
    public String workSetting() {
        return JobSettings.SCRIPT_COMMAND_LINE.name();
    }

    @Override
    public JobDefinition withWorkOf(JobDefinition declared, JobDefinition stored) {
        return stored.toBuilder()
                .scriptCommandLine(declared.scriptCommandLine())
                .build();
    }

    @Override
    public Optional<String> objection(JobDefinition kept, TrustedWork trust) {
        return trust.scripts()
                ? Optional.empty()
                : Optional.of("this instance runs no scripts from the registry; to allow all of them, set"
                        + " \"elasticjob.registry-jobs.scripts\" to true");
    }
}
