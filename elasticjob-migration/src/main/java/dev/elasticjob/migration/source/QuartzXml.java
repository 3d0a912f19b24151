package dev.elasticjob.migration.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Quartz's own XML of jobs and triggers ({@code job-scheduling-data}), as its XMLSchedulingDataProcessorPlugin reads it.
 *
 * <p>Each job becomes one with the names of its elements as settings, followed by those of its triggers; an entry of its map
 * is {@code job-data.KEY}. Not thread-safe.
 */
final class QuartzXml {
    private static final String ROOT = "job-scheduling-data";
    private static final String DEFAULT_GROUP = "DEFAULT";

    /** What only says which elements belong together. */
    private static final Set<String> STRUCTURE = Set.of("name", "group", "job-name", "job-group");

    private final String file;
    private final XMLStreamReader reader;
    private final DocumentBuilder document = new DocumentBuilder(SourceFiles.DEFAULT_OUTPUT, Optional.empty());
    private final Map<String, Job> jobs = new LinkedHashMap<>();
    private final List<Element> triggers = new ArrayList<>();
    private int startLine = 1;

    private QuartzXml(String file, XMLStreamReader reader) {
        this.file = file;
        this.reader = reader;
    }

    private record Job(SourceLocation place, List<SourceSetting> settings) {}

    /** A job or a trigger: the texts of its elements. */
    private record Element(String kind, SourceLocation place, List<SourceSetting> texts) {
        String text(String name) {
            return texts.stream()
                    .filter(text -> text.key().equals(name))
                    .map(SourceSetting::value)
                    .findFirst()
                    .orElse("");
        }

        String key(String name, String group) {
            String ofGroup = text(group);
            return ofGroup.isEmpty() || ofGroup.equals(DEFAULT_GROUP) ? text(name) : ofGroup + "-" + text(name);
        }
    }

    static boolean isQuartz(String text) {
        return text.contains("<" + ROOT);
    }

    static SourceDocument read(String file, String text) {
        return XmlFile.read(file, text, reader -> new QuartzXml(file, reader).document());
    }

    private SourceDocument document() throws XMLStreamException {
        while (reader.hasNext()) {
            startLine = reader.getLocation().getLineNumber();
            int event = reader.next();
            if (event == XMLStreamConstants.DTD) {
                throw XmlFile.doctype(here());
            } else if (event == XMLStreamConstants.START_ELEMENT) {
                element(reader.getLocalName());
            }
        }
        triggers.forEach(this::attach);
        jobs.forEach((name, job) -> {
            if (job.settings().stream().noneMatch(setting -> setting.key().equals("trigger"))) {
                document.remark(
                        job.place(), "the job \"%s\" has no trigger, so it runs on request only".formatted(name));
            }
        });
        jobs.forEach((name, job) -> document.add(new SourceJob(name, Dialect.QUARTZ, job.place(), job.settings())));
        return document.build();
    }

    private void element(String name) throws XMLStreamException {
        switch (name) {
            case "job" -> {
                Element job = texts(name);
                List<SourceSetting> settings = new ArrayList<>();
                job.texts().stream()
                        .filter(text -> !STRUCTURE.contains(text.key()))
                        .map(text -> text.key().equals("job-class")
                                ? new SourceSetting("class", text.value(), text.place())
                                : text)
                        .forEach(settings::add);
                jobs.put(job.key("name", "group"), new Job(job.place(), settings));
            }
            case "cron", "simple", "calendar-interval" -> triggers.add(texts(name));
            case "delete-jobs-in-group", "delete-triggers-in-group", "delete-job", "delete-trigger" -> {
                document.lost(here(), "the command \"%s\" was not carried out".formatted(name));
                texts(name);
            }
            default -> {}
        }
    }

    private void attach(Element trigger) {
        Job job = jobs.get(trigger.key("job-name", "job-group"));
        if (job == null) {
            document.lost(
                    trigger.place(),
                    "the trigger \"%s\" is for the job \"%s\", which isn't in the file"
                            .formatted(trigger.text("name"), trigger.key("job-name", "job-group")));
            return;
        }
        job.settings().add(new SourceSetting("trigger", trigger.kind(), trigger.place()));
        trigger.texts().stream()
                .filter(text -> !STRUCTURE.contains(text.key()))
                .filter(text -> !text.key().equals("description"))
                .filter(text -> !text.key().startsWith("job-data."))
                .forEach(job.settings()::add);
        trigger.texts().stream()
                .filter(text -> text.key().startsWith("job-data."))
                .forEach(text -> document.lost(
                        text.place(), "the data of triggers (\"%s\") has no equivalent".formatted(text.key())));
    }

    /** Reads to the end of the element. */
    private Element texts(String kind) throws XMLStreamException {
        SourceLocation place = here();
        List<SourceSetting> texts = new ArrayList<>();
        Deque<String> names = new ArrayDeque<>(List.of(kind));
        var text = new StringBuilder();
        SourceLocation from = place;
        String key = "";
        while (!names.isEmpty()) {
            startLine = reader.getLocation().getLineNumber();
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    names.push(reader.getLocalName());
                    text.setLength(0);
                    from = here();
                }
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text.append(reader.getText());
                case XMLStreamConstants.END_ELEMENT -> {
                    String name = names.pop();
                    String value = text.toString().strip();
                    text.setLength(0);
                    if (name.equals("key")) {
                        key = value;
                    } else if (name.equals("value")) {
                        texts.add(new SourceSetting("job-data." + key, value, from));
                    } else if (!value.isEmpty()) {
                        texts.add(new SourceSetting(name, value, from));
                    }
                }
                default -> {}
            }
        }
        return new Element(kind, place, texts);
    }

    private SourceLocation here() {
        return new SourceLocation(file, startLine);
    }
}
