package dev.elasticjob.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A module's API is what {@code docs/reference/api.md} says it is, with all that its signatures mention. Each module has it
 * beside that page, as a text that was checked in. With {@code -Dapi.write}, this writes the text anew.
 */
public final class ApiPage {
    private static final Path PAGES = Path.of("..", "docs", "reference");
    private static final Path CLASSES = Path.of("target", "classes");

    private ApiPage() {}

    /** Compares the API of the module in whose directory this runs. */
    public static void assertSame(String module) throws IOException {
        Set<String> named = named(module);
        Set<Class<?>> types = new ClassFileImporter()
                .importPath(CLASSES).stream().map(type -> type.reflect()).collect(Collectors.toSet());
        ApiText api = new ApiText(types.stream().filter(type -> isNamed(type, named)), types::contains);

        Path text = PAGES.resolve("api").resolve(module + ".txt");
        if (System.getProperty("api.write") != null) {
            Files.createDirectories(text.getParent());
            Files.writeString(text, api.text());
        }
        assertThat(named.stream().filter(name -> types.stream().noneMatch(type -> isNamed(type, Set.of(name)))))
                .as("named on the page, and not there")
                .isEmpty();
        assertThat(api.hidden()).as("in signatures of the API, and hidden").isEmpty();
        assertThat(api.text()).isEqualTo(Files.readString(text));
    }

    private static boolean isNamed(Class<?> type, Set<String> named) {
        return named.contains(type.getPackageName()) || named.contains(type.getName());
    }

    private static Set<String> named(String module) throws IOException {
        Pattern row = Pattern.compile("(?m)^\\| `(dev\\.elasticjob[\\w.]*)` \\| `" + module + "` \\|");
        return row.matcher(Files.readString(PAGES.resolve("api.md")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }
}
