package dev.elasticjob.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticjob.definition.text.ScriptCommand;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptCommandTest {
    static Stream<Arguments> commandLines() {
        return Stream.of(
                Arguments.of("python3 clean.py  -v", new String[] {"python3", "clean.py", "-v"}),
                Arguments.of("sh -c \"echo a | wc -c\"", new String[] {"sh", "-c", "echo a | wc -c"}),
                Arguments.of("sh -c 'echo \"$HOME\"'", new String[] {"sh", "-c", "echo \"$HOME\""}),
                Arguments.of("'/opt/my app/run' x", new String[] {"/opt/my app/run", "x"}),
                Arguments.of("run --name=\"a b\" ''", new String[] {"run", "--name=a b", ""}),
                Arguments.of("run ${HOME} * \\", new String[] {"run", "${HOME}", "*", "\\"}));
    }

    @ParameterizedTest
    @MethodSource("commandLines")
    void wordsAreWhatAProgramSees(String commandLine, String[] words) {
        assertThat(ScriptCommand.parse(commandLine).words()).containsExactly(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh -c \"echo", "'", "'' x"})
    void aCommandLineThatIsNoneIsRefusedByTheDefinition(String commandLine) {
        JobDefinition.Builder script = JobDefinition.builder("cleanup")
                .cron("0 * * * * ?")
                .jobType(JobType.SCRIPT)
                .scriptCommandLine(commandLine);

        assertThat(catchThrowableOfType(InvalidJobDefinitionException.class, script::build)
                        .violations())
                .singleElement()
                .satisfies(violation -> assertThat(violation.setting()).isEqualTo("scriptCommandLine"));
    }

    @Test
    void anotherKindOfJobMayKeepWhatItNeverRuns() {
        JobDefinition simple = JobDefinition.builder("cleanup")
                .cron("0 * * * * ?")
                .scriptCommandLine("'")
                .build();

        assertThat(simple.scriptCommandLine()).isEqualTo("'");
    }
}
