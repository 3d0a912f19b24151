package dev.elasticjob.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.spring.Snippets.Snippet;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.json.JsonParser;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.NestedExceptionUtils;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** JSON and XML on the pages can be read, and each language is one that a test checks. */
class DataSnippetsTest {
    /** SQL is no dialect's. A block without a language is output. */
    private static final Set<String> LANGUAGES =
            Set.of("java", "yaml", "properties", "sh", "shell", "bash", "json", "xml", "sql", "");

    private static final Pattern FURTHER = Pattern.compile("(?:,|([\\[{]))(\\s*)…(?=\\s*[,\\]}])");

    @Test
    void languagesAreThoseThatAreChecked() throws IOException {
        Stream<String> unknown = Snippets.all().stream()
                .filter(snippet -> !LANGUAGES.contains(snippet.language()))
                .map(snippet -> snippet.failure("no test checks \"%s\"".formatted(snippet.language())));

        assertThat(unknown).isEmpty();
    }

    /** Where a member or an element could be, "…" stands for further ones. */
    @Test
    void jsonCanBeRead() throws IOException {
        assertThat(failures("json", 30, snippet -> {
                    try {
                        read(FURTHER.matcher(snippet.text()).replaceAll("$1$2"));
                        return Stream.empty();
                    } catch (JsonParseException e) {
                        return Stream.of(snippet.failure(String.valueOf(
                                NestedExceptionUtils.getMostSpecificCause(e).getMessage())));
                    }
                }))
                .isEmpty();
    }

    private static void read(String json) {
        JsonParser parser = JsonParserFactory.getJsonParser();
        if (json.stripLeading().startsWith("[")) {
            parser.parseList(json);
        } else {
            parser.parseMap(json);
        }
    }

    /** XML is well-formed, and what it names of ours is a module. */
    @Test
    void xmlIsWellFormedAndNamesOurModules() throws IOException {
        assertThat(failures("xml", 5, snippet -> {
                    try {
                        return unknownModules(parsed(snippet.text())).map(snippet::failure);
                    } catch (SAXException | IOException | ParserConfigurationException e) {
                        return Stream.of(snippet.failure(e.getMessage()));
                    }
                }))
                .isEmpty();
    }

    private static List<String> failures(String language, int fewest, Function<Snippet, Stream<String>> check)
            throws IOException {
        List<Snippet> snippets = Snippets.in(language);
        assertThat(snippets).hasSizeGreaterThan(fewest);
        return snippets.stream().flatMap(check).toList();
    }

    private static Document parsed(String text) throws SAXException, IOException, ParserConfigurationException {
        var builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        builder.setErrorHandler(null);
        String document = text.startsWith("<?xml") ? text : "<snippet>" + text + "</snippet>";
        return builder.parse(new InputSource(new StringReader(document)));
    }

    private static Stream<String> unknownModules(Document document) {
        NodeList names = document.getElementsByTagName("artifactId");
        return IntStream.range(0, names.getLength())
                .mapToObj(index -> names.item(index).getTextContent().strip())
                .filter(name -> name.startsWith("elasticjob-"))
                .filter(name -> !Files.exists(Snippets.ROOT.resolve(name).resolve("pom.xml")))
                .map("there is no module \"%s\""::formatted);
    }
}
