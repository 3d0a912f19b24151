package dev.elasticjob.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.table.Argument;
import dev.elasticjob.admin.table.CommandTable;
import dev.elasticjob.admin.table.OperatorCommand;
import dev.elasticjob.admin.table.OperatorCommand.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The commands on the page for people on call, one line for each row. {@code -Dcommands.write} writes the lines anew. */
class CommandsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "operations.md");
    private static final String HEAD = "| command | for | takes | what it does |\n|---|---|---|---|\n";

    @Test
    void thePageHasEachCommand() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(HEAD) + HEAD.length();
        int end = page.indexOf("\n\n", begin - 1);
        String lines = CommandTable.ALL.stream().map(CommandsPageTest::line).collect(Collectors.joining("\n"));
        if (System.getProperty("commands.write") != null) {
            Files.writeString(PAGE, page.substring(0, begin) + lines + page.substring(Math.max(begin - 1, end)));
        }

        assertThat(Files.readString(PAGE))
                .as("write it anew with mvn test -pl elasticjob-spring-boot-autoconfigure -am -Dtest=CommandsPageTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -Dcommands.write")
                .contains(HEAD + lines + "\n\n");
    }

    private static String line(OperatorCommand command) {
        String takes = command.arguments().stream()
                .filter(argument -> !argument.name().equals("reason"))
                .map(CommandsPageTest::shown)
                .collect(Collectors.joining(", "));
        return "| `%s` | %s | %s | %s |"
                .formatted(
                        command.name(),
                        command.scope() == Scope.JOB ? "a job" : "all jobs",
                        takes.isEmpty() ? "–" : takes,
                        command.description());
    }

    private static String shown(Argument<?> argument) {
        List<String> names =
                argument.names().stream().map(name -> "`" + name + "`").toList();
        String all = String.join(" or ", names);
        return argument.isRequired() ? "**" + all + "**" : all;
    }
}
