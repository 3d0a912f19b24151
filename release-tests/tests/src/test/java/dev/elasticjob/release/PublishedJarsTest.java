package dev.elasticjob.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is in each jar besides its classes, and what is published beside it. */
class PublishedJarsTest {
    static List<String> jars() throws IOException {
        return Release.jars();
    }

    @ParameterizedTest
    @MethodSource("jars")
    void sourcesAndJavadocAreThere(String module) {
        assertThat(Release.installed(module, "-sources", "jar")).isNotEmptyFile();
        assertThat(Release.installed(module, "-javadoc", "jar")).isNotEmptyFile();
    }

    @ParameterizedTest
    @MethodSource("jars")
    void aJarHasItsLicence(String module) throws IOException {
        assertThat(read(module, "META-INF/LICENSE"))
                .isEqualTo(Files.readString(Release.ROOT.resolve("LICENSE")));
    }

    @ParameterizedTest
    @MethodSource("jars")
    void aJarHasItsBillOfMaterials(String module) throws IOException {
        JsonNode bill = JsonMapper.shared().readTree(read(module, bill(module)));

        assertThat(bill.at("/bomFormat").asString()).isEqualTo("CycloneDX");
        assertThat(bill.at("/metadata/component/name").asString()).isEqualTo(module);
        assertThat(bill.at("/components"))
                .isNotEmpty()
                .allSatisfy(component -> assertThat(component.at("/hashes")).isNotEmpty());
    }

    /** The Actuator would take a file of that name for the one of the application that the jar is in. */
    @ParameterizedTest
    @MethodSource("jars")
    void aJarDoesNotPoseAsAnApplication(String module) throws IOException {
        assertThat(names(Release.installed(module, "", "jar")).filter(name -> name.startsWith("META-INF/sbom/")))
                .containsOnly("META-INF/sbom/", bill(module));
    }

    @Test
    void theJarsAreModulesWithNamesOfTheirOwnAndShareNoPackage() throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String module : Release.jars()) {
            jars.add(Release.installed(module, "", "jar"));
        }
        jars.add(Release.installed("elasticjob-core", "-test-fixtures", "jar"));

        var modules = ModuleFinder.of(jars.toArray(Path[]::new)).findAll().stream()
                .map(ModuleReference::descriptor)
                .toList();

        assertThat(modules).extracting(ModuleDescriptor::name).hasSameSizeAs(jars).allMatch(name -> name.startsWith("dev.elasticjob"));
        for (Path jar : jars) {
            try (JarFile file = new JarFile(jar.toFile())) {
                assertThat(file.getManifest().getMainAttributes().getValue("Automatic-Module-Name"))
                        .as(jar.getFileName().toString())
                        .isNotBlank();
            }
        }
        Map<String, Long> owners = modules.stream()
                .flatMap(module -> module.packages().stream())
                .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
        assertThat(owners).allSatisfy((name, count) -> assertThat(count).as(name).isEqualTo(1));
    }

    static String bill(String module) {
        return "META-INF/sbom/dev.elasticjob." + module + ".cdx.json";
    }

    static String read(String module, String name) throws IOException {
        try (JarFile jar = new JarFile(Release.installed(module, "", "jar").toFile())) {
            ZipEntry entry = jar.getEntry(name);
            assertThat(entry).as("\"%s\" in the jar of %s", name, module).isNotNull();
            return new String(jar.getInputStream(entry).readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        }
    }

    private static Stream<String> names(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream().map(ZipEntry::getName).toList().stream();
        }
    }
}
