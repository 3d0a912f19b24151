package dev.elasticjob.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Whatever stands in a node, the class that reads it is given data that no instance has written. */
class FuzzedFormsTest {
    private static final Pattern READS = Pattern.compile("StateJson\\.read(er)?\\(");
    /**
     * The first reads the weights of a definition, which is given such data, and takes any failure for "unknown"; the other one
     * is what all read with.
     */
    private static final Set<String> ELSEWHERE = Set.of("LoadReader", "StateJson");

    @Test
    void eachClassThatReadsAStoredFormIsFuzzed() throws IOException {
        StringBuilder fuzz = new StringBuilder();
        for (Path test : ProjectFiles.of(Path.of("src/test/java"), "FuzzTest.java")) {
            fuzz.append(Files.readString(test));
        }
        Set<String> missing = new TreeSet<>();
        Set<String> readers = new TreeSet<>();
        for (Path file : ProjectFiles.of(Path.of("src/main/java"), ".java")) {
            String name = file.getFileName().toString().replace(".java", "");
            if (READS.matcher(Files.readString(file)).find() && !ELSEWHERE.contains(name)) {
                readers.add(name);
                if (fuzz.indexOf(name + ".read") < 0
                        && fuzz.indexOf(name + ".of(") < 0
                        && fuzz.indexOf(name + ".published(") < 0) {
                    missing.add(name);
                }
            }
        }

        assertThat(readers).hasSizeGreaterThan(10);
        assertThat(missing).isEmpty();
    }
}
