package dev.elasticjob.definition;

import java.util.List;
import org.apache.commons.exec.CommandLine;

/**
 * The command line of a SCRIPT job, cut into words: at blanks, but not within {@code '…'} or {@code "…"}, whose quotes
 * go away. Nothing else has a meaning: no shell reads it, so there are no variables, pipes or wildcards.
 *
 * @param words the program and its arguments; never empty
 */
public record ScriptCommand(List<String> words) {
    public ScriptCommand {
        words = List.copyOf(words);
    }

    /** @throws IllegalArgumentException when there is no word, or a quote that never ends; the message says which */
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
