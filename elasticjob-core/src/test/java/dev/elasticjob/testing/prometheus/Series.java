package dev.elasticjob.testing.prometheus;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A series as Prometheus stores it: it adds its labels {@code job} and {@code instance}, and renames a label of the
 * application's that has one of these names.
 */
record Series(String name, String labels, String value) {
    private static final Pattern LINE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]+)\\s*(?:=~|!~|!=|=)\\s*\"");

    static List<Series> of(String scrape) {
        return of(scrape, "10.0.0.1:8080");
    }

    static List<Series> of(String scrape, String instance) {
        String target = "job=\"shop\",instance=\"%s\"".formatted(instance);
        return scrape.lines()
                .filter(line -> line.startsWith("elasticjob_"))
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(line -> new Series(line.group(1), stored(target, line.group(2)), line.group(3)))
                .toList();
    }

    private static String stored(String target, @Nullable String labels) {
        return labels == null ? target : target + "," + labels.replaceAll("(^|,)job=", "$1exported_job=");
    }

    /** With its name in front. */
    String text() {
        return name + "{" + labels + "}";
    }

    Set<String> labelNames() {
        return labelNames(labels);
    }

    static Set<String> labelNames(String labels) {
        Set<String> names = new TreeSet<>();
        LABEL.matcher(labels).results().forEach(label -> names.add(label.group(1)));
        return names;
    }
}
