package dev.elasticjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.Snippets;
import dev.elasticjob.spring.Snippets.Snippet;
import dev.elasticjob.spring.SourceCompiler;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;

/**
 * Settings on the pages can be read, and an application would start with them: none has an unknown name, or a value of the
 * wrong type. Files of Docker Compose and objects of Kubernetes are only read.
 */
class YamlSnippetsTest {
    private static final String STAND_ALONE = "dev.elasticjob.console.standalone.StandAloneProperties";
    private static final String IN_APPLICATION = "dev.elasticjob.console.autoconfigure.ConsoleProperties";
    private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("elasticjob");
    private static final ConfigurationPropertyName CONSOLE = ConfigurationPropertyName.of("elasticjob.console");

    /** How files of Docker Compose and objects of Kubernetes begin. */
    private static final Set<String> OTHER_SOFTWARE = Set.of("services", "apiversion");

    /** Of libraries that this module doesn't have. */
    private static final List<ConfigurationPropertyName> OTHERS =
            List.of(ConfigurationPropertyName.of("spring.security.oauth2.client"));

    @TempDir
    private static Path folder;

    @Test
    void settingsCanBeUsed() throws Exception {
        List<Snippet> snippets = Snippets.in("yaml", "properties");
        SourceCompiler.compile("elasticjob-console", STAND_ALONE, folder);
        Predicate<ConfigurationPropertyName> known = known();
        List<String> failures = new ArrayList<>();
        try (var console = new URLClassLoader(
                new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
            List<Class<?>> consoles = List.of(console.loadClass(STAND_ALONE), console.loadClass(IN_APPLICATION));
            for (Snippet snippet : snippets) {
                problems(snippet, known, consoles).map(snippet::failure).forEach(failures::add);
            }
        }

        assertThat(snippets).hasSizeGreaterThan(15);
        assertThat(failures).isEmpty();
    }

    private static Stream<String> problems(
            Snippet snippet, Predicate<ConfigurationPropertyName> known, List<Class<?>> consoles) {
        List<PropertySource<?>> sources;
        try {
            sources = load(snippet);
        } catch (IOException | RuntimeException e) {
            return Stream.of(String.valueOf(e.getMessage()));
        }
        List<ConfigurationPropertyName> names = sources.stream()
                .flatMap(source -> Stream.of(((EnumerablePropertySource<?>) source).getPropertyNames()))
                .map(name -> ConfigurationPropertyName.adapt(name, '.'))
                .toList();
        if (names.isEmpty()) {
            return Stream.of("expected settings");
        }
        if (OTHER_SOFTWARE.contains(names.get(0).getElement(0, ConfigurationPropertyName.Form.UNIFORM))) {
            return Stream.empty();
        }
        Stream<String> unknown = names.stream()
                .filter(name -> !OURS.isAncestorOf(name) && !known.test(name))
                .map("no library has a property \"%s\""::formatted);
        return Stream.concat(unknown, problemsOfOurs(sources, names, consoles));
    }

    private static List<PropertySource<?>> load(Snippet snippet) throws IOException {
        PropertySourceLoader loader = snippet.language().equals("yaml")
                ? new YamlPropertySourceLoader()
                : new PropertiesPropertySourceLoader();
        var text = new ByteArrayResource(snippet.text().getBytes(StandardCharsets.UTF_8), snippet.page());
        return loader.load(snippet.page(), text);
    }

    private static Stream<String> problemsOfOurs(
            List<PropertySource<?>> sources, List<ConfigurationPropertyName> names, List<Class<?>> consoles) {
        var environment = new StandardEnvironment();
        environment.getPropertySources().addLast(new Variables());
        sources.forEach(environment.getPropertySources()::addLast);
        boolean hasConsole = names.stream().anyMatch(CONSOLE::isAncestorOf);
        SettingProblems problems = SettingProblems.in(environment);
        Stream<String> others = Stream.concat(problems.lines().stream(), problems.warnings().stream())
                .filter(line -> !line.contains("\"elasticjob.console."));
        return hasConsole ? Stream.concat(others, ofConsole(Binder.get(environment), consoles)) : others;
    }

    /** It may be the console as an application of its own, or the one inside an application. */
    private static Stream<String> ofConsole(Binder binder, List<Class<?>> consoles) {
        List<String> failures = new ArrayList<>();
        for (Class<?> one : consoles) {
            try {
                binder.bind(CONSOLE, Bindable.of(one), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
                return Stream.empty();
            } catch (RuntimeException e) {
                failures.add("%s: %s".formatted(one.getSimpleName(), NestedExceptionUtils.getMostSpecificCause(e)));
            }
        }
        return failures.stream();
    }

    /** By the metadata of all libraries on the class path. */
    private static Predicate<ConfigurationPropertyName> known() throws IOException {
        Set<ConfigurationPropertyName> names = new HashSet<>();
        Set<ConfigurationPropertyName> maps = new HashSet<>(OTHERS);
        var files = YamlSnippetsTest.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json");
        for (URL file : Collections.list(files)) {
            try (InputStream input = file.openStream()) {
                String json = new String(input.readAllBytes(), StandardCharsets.UTF_8);
                Map<String, Object> metadata = JsonParserFactory.getJsonParser().parseMap(json);
                for (Object each : (List<?>) metadata.getOrDefault("properties", List.of())) {
                    Map<?, ?> property = (Map<?, ?>) each;
                    var name = ConfigurationPropertyName.adapt(String.valueOf(property.get("name")), '.');
                    names.add(name);
                    if (String.valueOf(property.get("type")).startsWith("java.util.Map")) {
                        maps.add(name);
                    }
                }
            }
        }
        return name -> {
            ConfigurationPropertyName whole = name.isLastElementIndexed() ? name.getParent() : name;
            return names.contains(whole) || maps.stream().anyMatch(map -> map.isAncestorOf(name));
        };
    }

    /** Environment variables of the reader. */
    private static final class Variables extends PropertySource<Object> {
        private static final Pattern NAME = Pattern.compile("[A-Z]+(_[A-Z]+)*");

        private Variables() {
            super("variables of the reader");
        }

        @Override
        public String getProperty(String name) {
            return NAME.matcher(name).matches() ? "http://localhost" : null;
        }
    }
}
