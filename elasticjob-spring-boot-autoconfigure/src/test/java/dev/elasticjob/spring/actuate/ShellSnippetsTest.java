package dev.elasticjob.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.admin.AppWatch;
import dev.elasticjob.admin.GroupWatch;
import dev.elasticjob.admin.command.UnknownTargetException;
import dev.elasticjob.admin.table.GivenArguments;
import dev.elasticjob.registry.RegistryUnavailableException;
import dev.elasticjob.spring.Snippets;
import dev.elasticjob.spring.Snippets.Snippet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.web.util.UriComponents;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * A shell can read the commands on the pages, and the endpoint takes the requests among them: their views, commands, names
 * and values. It has no job here, so that its answer to a good request is that it doesn't know the target.
 */
class ShellSnippetsTest {
    private static final String ENDPOINT = "http://localhost:8080/actuator/elasticjob";
    /** Of any application. */
    private static final Pattern ADDRESS = Pattern.compile("https?://[^/\\s]+/actuator/elasticjob");
    /** The argument of each option that a request has. */
    private static final List<String> WITH_ARGUMENT = List.of("-X", "-H", "-d", "-u");

    private static final JobQuestions QUESTIONS = new JobQuestions(
            List::of,
            new GroupWatch(() -> CompletableFuture.completedFuture(List.of()), Clock.systemUTC()),
            new AppWatch(() -> CompletableFuture.completedFuture(List.of()), Clock.systemUTC()),
            Duration.ofSeconds(1));
    private static final JobCommands COMMANDS = new JobCommands(List::of, QUESTIONS, Clock.systemUTC());
    private static final JobViews VIEWS = new JobViews(QUESTIONS, new HistoryOperations(Optional::empty), COMMANDS);

    @Test
    void commandsCanBeRead() throws Exception {
        List<Snippet> snippets = Snippets.in("sh", "shell", "bash");
        List<String> failures = new ArrayList<>();
        for (Snippet snippet : snippets) {
            Output output = bash(snippet.text(), "-n");
            if (output.exitCode() != 0) {
                failures.add(snippet.failure(output.text()));
            }
        }

        assertThat(snippets).hasSizeGreaterThan(30);
        assertThat(failures).isEmpty();
    }

    @Test
    void endpointTakesRequests() throws Exception {
        List<String> failures = new ArrayList<>();
        int requests = 0;
        for (Snippet snippet : Snippets.in("sh", "shell", "bash")) {
            for (String command : snippet.text().replace("\\\n", "").split("\n")) {
                if (command.strip().startsWith("curl ")
                        && (command.contains("$E") || ADDRESS.matcher(command).find())) {
                    requests++;
                    problem(command)
                            .map(problem -> snippet.failure(problem + ": " + command))
                            .ifPresent(failures::add);
                }
            }
        }

        assertThat(requests).isGreaterThan(30);
        assertThat(failures).isEmpty();
    }

    /** With its arguments as a shell would hand them over. */
    private static Optional<String> problem(String command) throws Exception {
        Output output = bash("E=%s\ncurl() { printf '%%s\\0' \"$@\"; }\n%s\n".formatted(ENDPOINT, command), "-s");
        return output.exitCode() == 0 ? problem(Arrays.asList(output.text().split("\0"))) : Optional.of(output.text());
    }

    private static Optional<String> problem(List<String> arguments) {
        String address = "";
        String method = "GET";
        String body = "";
        for (int index = 0; index < arguments.size(); index++) {
            String argument = arguments.get(index);
            if (!WITH_ARGUMENT.contains(argument)) {
                if (!argument.startsWith("-")) {
                    address = argument;
                }
                continue;
            }
            String value = arguments.get(++index);
            method = argument.equals("-X") ? value : method;
            body = argument.equals("-d") ? value : body;
        }
        Matcher endpoint = ADDRESS.matcher(address);
        if (!endpoint.lookingAt()) {
            return Optional.of("expected an address of the endpoint, but it was \"%s\"".formatted(address));
        }
        UriComponents uri = UriComponentsBuilder.fromUriString(address.substring(endpoint.end()))
                .build();
        try {
            ask(method, uri, body);
            return Optional.empty();
        } catch (RegistryUnavailableException understood) {
            return Optional.empty();
        } catch (UnknownTargetException e) {
            boolean noSuchView = String.valueOf(e.getMessage()).contains("no view");
            return noSuchView ? Optional.ofNullable(e.getMessage()) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.ofNullable(e.getMessage());
        }
    }

    private static void ask(String method, UriComponents uri, String body) {
        List<String> path = uri.getPathSegments();
        if (method.equals("POST")) {
            GivenArguments given =
                    GivenTexts.given(JsonParserFactory.getJsonParser().parseMap(body));
            switch (path.size()) {
                case 1 -> COMMANDS.carryOutForAll("reader", path.get(0), given);
                case 2 -> COMMANDS.carryOut("reader", path.get(0), path.get(1), given);
                default -> throw new IllegalArgumentException("no command has the path " + path);
            }
            return;
        }
        GivenArguments given = GivenTexts.given(uri.getQueryParams().toSingleValueMap());
        switch (path.size()) {
            case 0 -> VIEWS.jobs("application", given);
            case 1 -> VIEWS.job(path.get(0), given);
            case 2 -> VIEWS.view(path.get(0), path.get(1), given);
            case 3 -> VIEWS.entry(path.get(0), path.get(1), path.get(2), given);
            default -> throw new IllegalArgumentException("no view has the path " + path);
        }
    }

    private record Output(int exitCode, String text) {}

    private static Output bash(String script, String option) throws IOException, InterruptedException {
        Process shell =
                new ProcessBuilder("bash", option).redirectErrorStream(true).start();
        try (var input = shell.outputWriter(StandardCharsets.UTF_8)) {
            input.write(script);
        }
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Output(shell.exitValue(), output);
    }
}
