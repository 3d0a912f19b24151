package dev.elasticjob.migration.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Spring XML with the namespaces of 2.x and 3.x, below {@code beans} elements with profiles too. Other elements are not
 * read, except beans, for the classes of jobs. Neither loads anything nor resolves entities.
 */
final class SpringXml {
    private static final String JOBS_2 = "http://www.dangdang.com/schema/ddframe/job";
    private static final String REGISTRY_2 = "http://www.dangdang.com/schema/ddframe/reg";
    private static final String ALL_3 = "http://shardingsphere.apache.org/schema/elasticjob";
    private static final String BEANS = "http://www.springframework.org/schema/beans";
    private static final String CONTEXT = "http://www.springframework.org/schema/context";
    private static final Pattern THEIRS =
            Pattern.compile("com\\.dangdang\\.ddframe\\.(job|reg)\\.|org\\.apache\\.shardingsphere\\.elasticjob\\.");
    private static final Set<String> KINDS_2 = Set.of("simple", "dataflow", "script");

    private final String file;
    private final XMLStreamReader reader;
    private final Map<String, String> classesOfBeans = new HashMap<>();
    private final Map<String, DocumentBuilder> byProfile = new LinkedHashMap<>();
    private final Deque<Optional<String>> profiles = new ArrayDeque<>(List.of(Optional.<String>empty()));
    private final List<Runnable> jobsOfBeans = new ArrayList<>();
    private int startLine = 1;

    private SpringXml(String file, XMLStreamReader reader) {
        this.file = file;
        this.reader = reader;
    }

    static List<SourceDocument> read(String file, String text) {
        return XmlFile.read(file, text, reader -> new SpringXml(file, reader).documents());
    }

    private List<SourceDocument> documents() throws XMLStreamException {
        while (reader.hasNext()) {
            startLine = reader.getLocation().getLineNumber();
            int event = reader.next();
            if (event == XMLStreamConstants.DTD) {
                throw XmlFile.doctype(here());
            } else if (event == XMLStreamConstants.START_ELEMENT) {
                element();
            } else if (event == XMLStreamConstants.END_ELEMENT && isBeans()) {
                profiles.pop();
            }
        }
        jobsOfBeans.forEach(Runnable::run);
        return byProfile.values().stream().map(DocumentBuilder::build).toList();
    }

    private void element() throws XMLStreamException {
        String namespace = String.valueOf(reader.getNamespaceURI());
        String name = reader.getLocalName();
        if (isBeans()) {
            profiles.push(profile());
        } else if (namespace.equals(BEANS) && name.equals("bean")) {
            noteBean();
        } else if (namespace.equals(JOBS_2) && KINDS_2.contains(name)) {
            job(Dialect.XML_2, name);
        } else if (namespace.equals(ALL_3) && name.equals("job")) {
            job(Dialect.XML_3, "");
        } else if ((namespace.equals(REGISTRY_2) || namespace.equals(ALL_3)) && name.equals("zookeeper")) {
            registry(namespace.equals(ALL_3) ? Dialect.XML_3 : Dialect.XML_2);
        } else if (Set.of(JOBS_2, ALL_3).contains(namespace) && reader.getAttributeValue(null, "cron") != null) {
            otherJob(name);
        } else if (Set.of(JOBS_2, REGISTRY_2, ALL_3).contains(namespace)) {
            other(name);
        } else if (namespace.equals(CONTEXT) && name.equals("property-placeholder")) {
            document().remark(here(), propertyFiles());
        } else if (namespace.equals(BEANS) && name.equals("import")) {
            document()
                    .remark(
                            here(),
                            "the file \"%s\" that is imported here was not read, unless it was given too"
                                    .formatted(reader.getAttributeValue(null, "resource")));
        }
    }

    private boolean isBeans() {
        return BEANS.equals(reader.getNamespaceURI()) && reader.getLocalName().equals("beans");
    }

    /** Of this element and of those around it. */
    private Optional<String> profile() {
        Optional<String> outer = profiles.element();
        String own = Optional.ofNullable(reader.getAttributeValue(null, "profile"))
                .orElse("")
                .strip();
        if (own.isEmpty()) {
            return outer;
        }
        String either = String.join(" | ", own.split("[,;\\s]+"));
        return Optional.of(
                outer.map(around -> "(" + around + ") & (" + either + ")").orElse(either));
    }

    private DocumentBuilder document() {
        Optional<String> profile = profiles.element();
        return byProfile.computeIfAbsent(
                profile.orElse(""), any -> new DocumentBuilder(SourceFiles.DEFAULT_OUTPUT, profile));
    }

    private String propertyFiles() {
        String location = String.valueOf(reader.getAttributeValue(null, "location"));
        return ("the placeholders' values come from \"%s\"; Spring Boot doesn't read it by itself: import it with"
                        + " spring.config.import, or move its content")
                .formatted(location);
    }

    private void noteBean() {
        String type = reader.getAttributeValue(null, "class");
        if (type != null && THEIRS.matcher(type).lookingAt()) {
            document()
                    .lost(
                            here(),
                            "a bean of the class %s: its constructor's arguments are not read. If it declares a job or a"
                                            .formatted(type)
                                    + " registry, convert the live tree instead");
        }
        for (String attribute : List.of("id", "name")) {
            String names = reader.getAttributeValue(null, attribute);
            if (type != null && names != null) {
                List.of(names.strip().split("[,;\\s]+")).forEach(name -> classesOfBeans.put(name, type));
            }
        }
    }

    /** Elements of 1.x, for example, have a job's attributes. */
    private void otherJob(String name) {
        String id = String.valueOf(reader.getAttributeValue(null, "id"));
        document()
                .lost(
                        here(),
                        "<%s id=\"%s\"> is no element of 2.x or 3.x that declares a job. Add the job by hand"
                                .formatted(name, id));
    }

    /** The class of a bean may be declared further down, so the job is added at the end. */
    private void job(Dialect dialect, String kind) throws XMLStreamException {
        SourceLocation place = here();
        String name = id(place, "a job");
        List<SourceSetting> settings = new ArrayList<>();
        if (!kind.isEmpty()) {
            settings.add(new SourceSetting("job-type", kind.toUpperCase(Locale.ROOT), place));
        }
        settings.addAll(attributes(place));
        children(settings);
        DocumentBuilder document = document();
        jobsOfBeans.add(() -> {
            List<SourceSetting> all = new ArrayList<>(settings);
            settings.stream()
                    .filter(setting -> setting.key().equals("job-ref"))
                    .forEach(setting -> Optional.ofNullable(classesOfBeans.get(setting.value()))
                            .ifPresent(type -> all.add(new SourceSetting("class", type, setting.place()))));
            document.add(new SourceJob(name, dialect, place, all));
        });
    }

    private void registry(Dialect dialect) {
        SourceLocation place = here();
        document().add(new SourceRegistry(id(place, "a registry"), dialect, place, attributes(place)));
    }

    private void other(String name) {
        SourceLocation place = here();
        String all = String.join(
                " ",
                attributes(place).stream()
                        .map(setting -> "%s=\"%s\"".formatted(setting.key(), setting.value()))
                        .toList());
        document().other(new SourceSetting(name, all, place));
    }

    /** The properties and listeners of a job, up to its end. */
    private void children(List<SourceSetting> settings) throws XMLStreamException {
        int depth = 1;
        while (depth > 0) {
            startLine = reader.getLocation().getLineNumber();
            int event = reader.next();
            if (event == XMLStreamConstants.END_ELEMENT) {
                depth--;
            } else if (reader.isCharacters() && !reader.isWhiteSpace()) {
                settings.add(new SourceSetting("text", reader.getText().strip(), here()));
            } else if (event == XMLStreamConstants.START_ELEMENT) {
                SourceLocation place = here();
                String name = reader.getLocalName();
                if (name.equals("prop")) {
                    String key = String.valueOf(reader.getAttributeValue(null, "key"));
                    settings.add(new SourceSetting(
                            "props." + key, reader.getElementText().strip(), place));
                    continue;
                }
                attributes(place)
                        .forEach(attribute -> settings.add(
                                new SourceSetting(name + "." + attribute.key(), attribute.value(), attribute.place())));
                depth++;
            }
        }
    }

    private List<SourceSetting> attributes(SourceLocation place) {
        List<SourceSetting> settings = new ArrayList<>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            String key = reader.getAttributeLocalName(i);
            if (!key.equals("id")) {
                settings.add(new SourceSetting(key, reader.getAttributeValue(i), place));
            }
        }
        return settings;
    }

    private String id(SourceLocation place, String what) {
        String id = reader.getAttributeValue(null, "id");
        if (id == null || id.isBlank()) {
            throw new UnreadableSourceException(
                    place,
                    "expected %s with an id, but <%s> has none. Add the attribute"
                            .formatted(what, reader.getLocalName()));
        }
        return id.strip();
    }

    private SourceLocation here() {
        return new SourceLocation(file, startLine);
    }
}
