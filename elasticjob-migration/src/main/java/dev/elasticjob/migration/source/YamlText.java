package dev.elasticjob.migration.source;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * YAML as flat entries with their lines. Reads the nodes and creates no objects, so tags with class names, which 3.x writes
 * for its tracing configuration, do nothing.
 */
final class YamlText {
    private static final int MAX_ENTRIES = 100_000;

    private final String file;
    private final Set<Node> open = new HashSet<>();
    private int count;

    /**
     * @param path the keys from the outermost one; an element of a list is {@code [0]}
     * @param value as Spring Boot reads it: {@code 010} is 8, and {@code yes} is true
     * @param written as the file has it; empty for null
     */
    record Entry(List<String> path, String value, String written, int line) {
        Entry(List<String> path, String value, int line) {
            this(path, value, value, line);
        }
    }

    /** Makes numbers of texts. */
    private static final class Numbers extends SafeConstructor {
        Numbers() {
            super(new LoaderOptions());
        }

        String of(ScalarNode scalar) {
            return String.valueOf(constructObject(scalar));
        }
    }

    private YamlText(String file) {
        this.file = file;
    }

    /** The entries of each document; an empty document has none. */
    static List<List<Entry>> documents(String file, String text) {
        try {
            List<List<Entry>> documents = new ArrayList<>();
            var options = new LoaderOptions();
            // Nodes with tags are read like any others: nothing is made of them.
            options.setTagInspector(tag -> true);
            // The number of entries is limited instead.
            options.setMaxAliasesForCollections(Integer.MAX_VALUE);
            var yaml = new Yaml(new SafeConstructor(options));
            for (Node root : yaml.composeAll(new StringReader(text))) {
                documents.add(new YamlText(file).entries(root));
            }
            return documents;
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            throw new UnreadableSourceException(
                    new SourceLocation(file, line),
                    "expected YAML, but %s. Correct the file".formatted(e.getProblem()),
                    e);
        } catch (YAMLException e) {
            throw new UnreadableSourceException(
                    SourceLocation.of(file), "expected YAML, but %s. Correct the file".formatted(e.getMessage()), e);
        }
    }

    private List<Entry> entries(Node root) {
        if (root instanceof MappingNode mapping) {
            List<Entry> entries = new ArrayList<>();
            flatten(List.of(), mapping, entries);
            return entries;
        }
        if (root instanceof ScalarNode scalar && scalar.getValue().isBlank()) {
            return List.of();
        }
        throw new UnreadableSourceException(
                new SourceLocation(file, line(root)), "expected keys with values, as in \"cron: 0 0 3 * * ?\"");
    }

    private void flatten(List<String> path, Node node, List<Entry> entries) {
        if (count++ > MAX_ENTRIES || !open.add(node)) {
            throw new UnreadableSourceException(
                    new SourceLocation(file, line(node)),
                    "expected at most %d entries and no alias that contains itself".formatted(MAX_ENTRIES));
        }
        if (node instanceof MappingNode mapping) {
            members(mapping).forEach(member -> flatten(with(path, member.getKey()), member.getValue(), entries));
        } else if (node instanceof SequenceNode sequence) {
            for (int i = 0; i < sequence.getValue().size(); i++) {
                flatten(with(path, "[" + i + "]"), sequence.getValue().get(i), entries);
            }
        } else if (node instanceof ScalarNode scalar) {
            String written = scalar.getTag().equals(Tag.NULL) ? "" : scalar.getValue();
            entries.add(new Entry(path, text(scalar), written, line(scalar)));
        }
        open.remove(node);
    }

    /**
     * With those that a merge key ({@code <<}) brings along, behind the mapping's own. A key that is there twice is twice in
     * the list, so that both values can be listed.
     */
    private List<Map.Entry<String, Node>> members(MappingNode mapping) {
        List<Map.Entry<String, Node>> members = new ArrayList<>();
        Map<String, Node> merged = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new UnreadableSourceException(
                        new SourceLocation(file, line(tuple.getKeyNode())), "expected a text as the key");
            }
            if (key.getTag().equals(Tag.MERGE)) {
                merge(tuple.getValueNode(), merged);
            } else {
                members.add(Map.entry(key.getValue(), tuple.getValueNode()));
            }
        }
        Set<String> own = members.stream().map(Map.Entry::getKey).collect(Collectors.toSet());
        merged.keySet().removeAll(own);
        members.addAll(merged.entrySet());
        return members;
    }

    private void merge(Node source, Map<String, Node> merged) {
        if (count++ > MAX_ENTRIES || !open.add(source)) {
            throw new UnreadableSourceException(
                    new SourceLocation(file, line(source)), "expected no merge key that contains itself");
        }
        if (source instanceof MappingNode mapping) {
            members(mapping).forEach(member -> merged.putIfAbsent(member.getKey(), member.getValue()));
        } else if (source instanceof SequenceNode sequence) {
            sequence.getValue().forEach(each -> merge(each, merged));
        }
        open.remove(source);
    }

    private static String text(ScalarNode scalar) {
        String value = scalar.getValue();
        if (scalar.getTag().equals(Tag.NULL)) {
            return "";
        }
        if (scalar.getTag().equals(Tag.BOOL)) {
            String word = value.toLowerCase(Locale.ROOT);
            return String.valueOf(word.equals("true") || word.equals("yes") || word.equals("on"));
        }
        return scalar.getTag().equals(Tag.INT) || scalar.getTag().equals(Tag.FLOAT) ? new Numbers().of(scalar) : value;
    }

    private static List<String> with(List<String> path, String key) {
        List<String> longer = new ArrayList<>(path);
        longer.add(key);
        return List.copyOf(longer);
    }

    private static int line(Node node) {
        return node.getStartMark() == null ? 0 : node.getStartMark().getLine() + 1;
    }
}
