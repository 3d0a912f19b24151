package dev.elasticjob.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.javascript.jscomp.CheckLevel;
import com.google.javascript.jscomp.CommandLineRunner;
import com.google.javascript.jscomp.Compiler;
import com.google.javascript.jscomp.CompilerOptions;
import com.google.javascript.jscomp.DiagnosticGroups;
import com.google.javascript.jscomp.JSError;
import com.google.javascript.jscomp.Result;
import com.google.javascript.jscomp.SourceFile;
import com.google.javascript.jscomp.deps.ModuleLoader;
import dev.elasticjob.definition.JobSettings;
import dev.elasticjob.definition.JobType;
import dev.elasticjob.definition.KindRules;
import dev.elasticjob.definition.Setting;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page's modules, read by a compiler: a browser would say the same only on the screen that runs the line. */
class PageNamesTest {
    private static final Path MODULES = Path.of("src/main/resources/dev/elasticjob/console/page/assets");
    private static final String LIT_HTML = "/dev/elasticjob/console/page/assets/lit-html.js";

    /** What a browser declares and the compiler knows only as properties of {@code window}. */
    private static final SourceFile BROWSER = SourceFile.fromCode(
            "browser.js",
            "/** @externs */ var localStorage; var sessionStorage; function scrollTo(x, y) {}"
                    + " function addEventListener(type, listener) {}");

    @Test
    void noModuleUsesANameThatNothingDeclaresOrExports() throws IOException {
        assertThat(errors(modules())).isEmpty();
    }

    /** What can be created on the page is the work of a kind, in one of its settings. */
    @Test
    void theTableOfKindsHasKindsThatEveryInstanceHasAndTheirSettings() throws IOException {
        String table = Files.readAllLines(MODULES.resolve("commands.js")).stream()
                .filter(line -> line.startsWith("const WORK = "))
                .findFirst()
                .orElseThrow();
        Map<String, String> work = Pattern.compile("([A-Z]+): '(\\w+)[.\\w]*'")
                .matcher(table)
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));

        assertThat(work)
                .hasSizeGreaterThan(2)
                .allSatisfy((type, setting) -> assertThat(KindRules.builtIn())
                        .filteredOn(kind -> kind.type().equals(new JobType(type)))
                        .singleElement()
                        .satisfies(kind -> assertThat(kind.isWithoutCode() ? kind.settings() : JobSettings.ALL)
                                .extracting(Setting::name)
                                .contains(setting)));
    }

    /** Imports are judged before names within a module are. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "import {t} from './texts.js'; export const one = () => t(missing);",
                "import {missing} from './texts.js'; missing();",
                "import {t} from './missing.js'; t();"
            })
    void whatNothingDeclaresOrExportsIsFound(String module) throws IOException {
        List<SourceFile> modules = modules();
        modules.add(SourceFile.fromCode("/one.js", module));

        assertThat(errors(modules))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains("one.js", "missing");
    }

    private static List<String> errors(List<SourceFile> modules) throws IOException {
        CompilerOptions options = new CompilerOptions();
        options.setChecksOnly(true);
        options.setLanguageIn(CompilerOptions.LanguageMode.ECMASCRIPT_NEXT);
        options.setAllowDynamicImport(true);
        options.setModuleResolutionMode(ModuleLoader.ResolutionMode.BROWSER);
        options.setWarningLevel(DiagnosticGroups.UNDEFINED_VARIABLES, CheckLevel.ERROR);
        options.setWarningLevel(DiagnosticGroups.MODULE_LOAD, CheckLevel.ERROR);
        List<SourceFile> declared =
                new ArrayList<>(CommandLineRunner.getBuiltinExterns(CompilerOptions.Environment.BROWSER));
        declared.add(BROWSER);

        Result result = new Compiler(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .compile(declared, modules, options);

        return result.errors.stream().map(JSError::toString).toList();
    }

    private static List<SourceFile> modules() throws IOException {
        List<SourceFile> modules = new ArrayList<>();
        try (Stream<Path> files = Files.list(MODULES)) {
            files.filter(file -> file.toString().endsWith(".js"))
                    .sorted()
                    .forEach(file -> modules.add(SourceFile.fromCode("/" + file.getFileName(), text(file))));
        }
        assertThat(modules).hasSizeGreaterThan(15);
        try (var library = PageNamesTest.class.getResourceAsStream(LIT_HTML)) {
            assertThat(library).as(LIT_HTML).isNotNull();
            modules.add(
                    SourceFile.fromCode("/lit-html.js", new String(library.readAllBytes(), StandardCharsets.UTF_8)));
        }
        return modules;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
