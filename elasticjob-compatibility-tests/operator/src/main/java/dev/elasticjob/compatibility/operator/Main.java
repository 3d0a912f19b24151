package dev.elasticjob.compatibility.operator;

import com.google.common.base.Optional;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Reads commands, a line each with its words between tabs, and answers each with any number of lines and {@code ok} or
 * {@code failed}. Ends with its input.
 */
public final class Main {
    private Main() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws IOException {
        PrintStream answers = System.out;
        Tools tools = new Tools(args[0], args[1], Optional.<String>absent());
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            try {
                tools.carryOut(List.of(line.split("\t"))).forEach(answers::println);
                answers.println("ok");
            } catch (RuntimeException e) {
                answers.println("failed\t" + e);
            }
            answers.flush();
        }
        Runtime.getRuntime().halt(0);
    }
}
