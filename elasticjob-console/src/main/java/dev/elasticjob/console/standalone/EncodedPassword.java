package dev.elasticjob.console.standalone;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.DelegatingPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;

/** Passwords as the configuration has them: their bcrypt hash, after the prefix that says so. */
final class EncodedPassword {
    private static final String BCRYPT = "bcrypt";
    private static final int MOST_BYTES = 72;

    private EncodedPassword() {}

    /** Reads no other form, above all none that is readable. */
    static PasswordEncoder encoder() {
        return new DelegatingPasswordEncoder(BCRYPT, Map.of(BCRYPT, new BCryptPasswordEncoder()));
    }

    static boolean isOne(String text) {
        return text.matches("\\{bcrypt}\\$2[aby]\\$\\d\\d\\$[./A-Za-z0-9]{53}");
    }

    /**
     * Reads a password, from the terminal without showing it, or else from the first line of the input.
     *
     * @return what to configure for it
     * @throws IllegalArgumentException if it is empty, or longer than what bcrypt considers
     */
    static String read(@Nullable Console terminal, InputStream input) throws IOException {
        String password = terminal == null ? firstLine(input) : typed(terminal);
        int bytes = password.getBytes(StandardCharsets.UTF_8).length;
        if (password.isEmpty() || bytes > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "Expected a password of 1 to %d bytes, but it had %d".formatted(MOST_BYTES, bytes));
        }
        return String.valueOf(encoder().encode(password));
    }

    private static String typed(Console terminal) {
        char[] password = terminal.readPassword("Password: ");
        return password == null ? "" : new String(password);
    }

    private static String firstLine(InputStream input) throws IOException {
        var reader = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
        String line = reader.readLine();
        return line == null ? "" : line;
    }
}
