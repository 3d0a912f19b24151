package dev.elasticjob.definition.text;

import java.util.List;
import org.apache.commons.exec.CommandLine;

/**
 * The command line of a SCRIPT job, split into words at spaces. {@code '…'} and {@code "…"} keep words together, and
 * the quotes are removed. No shell reads the command line, so there are no variables, pipes or wildcards.
 *
 * @param words the program and its arguments; never empty
 */
public record ScriptCommand(List<String> words) {
    public ScriptCommand {
        words = List.copyOf(words);
    }

    /** @throws IllegalArgumentException if there is no word, or a quote is not closed; the message states which */
    public static ScriptCommand parse(String commandLine) {
        // Not CommandLine.parse: it puts quotes around what has blanks, and a program would see them.
        List<String> words = List.of(
                new CommandLine("words").addArguments(commandLine, false).getArguments());
        if (words.isEmpty() || words.get(0).isBlank()) {
            throw new IllegalArgumentException("there is no command");
        }
        return new ScriptCommand(words);
    }
}
