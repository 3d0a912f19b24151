package dev.elasticjob.migration;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** A job with settings in shapes that people, tools and mistakes produce, which can be written in each format. */
record DrawnJob(String name, Map<String, String> settings) {
    private static final List<String> NAMES = List.of(
            "orders",
            "my-job",
            "my_job",
            "myJob",
            "JOB-D",
            "a.b",
            "订单同步",
            "a$b",
            "a b",
            "x]y",
            "[x]",
            "yes",
            "010",
            "a/b",
            "${job.id}",
            "orders${n}",
            "#{id}",
            "a=b",
            "x:y",
            "job.with.many.dots");

    private static final List<String> TEXTS = List.of(
            "plain",
            "订单 of Köln",
            "\uD83D\uDE80 up",
            "yes",
            "no",
            "on",
            "null",
            "~",
            "010",
            "1_000",
            "0x1F",
            "1:30",
            "1.50",
            "2001-01-01",
            " both ends ",
            "   ",
            "\ttab",
            "two\nlines",
            "\n\nthree\n",
            "a\r\nb",
            "a: b",
            "a #b",
            "# x",
            "- a",
            "? a",
            "[a]",
            "{a: b}",
            "*a",
            "&a",
            "!a",
            "%a",
            "@a",
            "|",
            ">",
            "'",
            "\"",
            "''\"\"",
            "\\",
            "c:\\temp\\",
            "${x}",
            "a ${x} b",
            "${none:else}",
            "\\${x}",
            "\\\\${x}",
            "$ {x}",
            "}{",
            "#{x}",
            "next\u0085line",
            "line\u2028separator",
            "\u0001control",
            "\u0081",
            "\uFEFFmark",
            "=",
            "<<",
            "a=b,c=d",
            "x".repeat(3_000));

    private static final List<String> PARAMETERS = List.of(
            "0=a,1=b",
            "0=A,1=B,",
            "0=A,,",
            "0=a,0=b",
            "0=a=",
            " 0 = a , 1 = b ",
            "0=订单,1=Köln",
            "0=a,7=h",
            "0=${x}",
            "${x}",
            "",
            "0=a,1",
            "x=y");

    private static final Map<String, List<String>> VALUES = Map.ofEntries(
            Map.entry("job-parameter", TEXTS),
            Map.entry("description", TEXTS),
            Map.entry("sharding-item-parameters", PARAMETERS),
            Map.entry("sharding-total-count", List.of("2", " 3 ", "007", "${n}")),
            Map.entry("failover", List.of("true", "false", "yes", " true ", "${flag}")),
            Map.entry("misfire", List.of("true", "false", "off")),
            Map.entry("monitor-execution", List.of("true", "false", "on", "${flag}")),
            Map.entry("overwrite", List.of("true", "false")),
            Map.entry("disabled", List.of("true", "false")),
            Map.entry("max-time-diff-seconds", List.of("30", "-1", "${n}")),
            Map.entry("reconcile-interval-minutes", List.of("5", "0", "-1")));

    private static final List<String> CRONS =
            List.of("0 0 3 * * ?", "0/10 * * * * ?", "0 0 9 ? * 2-6", "${cron}", "0 0 9 * * ? 2027", "0 0 9 ? * L");

    static DrawnJob draw(Random random) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("cron", one(CRONS, random));
        settings.put("sharding-total-count", "2");
        VALUES.forEach((key, values) -> {
            if (random.nextInt(3) == 0) {
                settings.put(key, one(values, random));
            }
        });
        for (int i = random.nextInt(3); i > 0; i--) {
            settings.put("props." + one(List.of("some.key", "Other_Key", "订单"), random), one(TEXTS, random));
        }
        return new DrawnJob(one(NAMES, random), settings);
    }

    private static String one(List<String> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }

    /** Whether it can be written in XML 1.0, which has no control characters, and no reserved ones in names of this test. */
    boolean fitsXml() {
        return !settings.toString().matches("(?s).*[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\ufffe\\uffff].*");
    }

    /** With attributes of 3.x, or of 2.x, which has no free properties. */
    String xml(String element, String reference, boolean properties) {
        StringBuilder attributes = new StringBuilder();
        StringBuilder props = new StringBuilder();
        settings.forEach((key, value) -> {
            if (!key.startsWith("props.")) {
                attributes.append(" %s=\"%s\"".formatted(key, escaped(value)));
            } else if (properties) {
                props.append("<prop key=\"%s\">%s</prop>".formatted(escaped(key.substring(6)), escaped(value)));
            }
        });
        return "<%s id=\"%s\" %s%s>%s</%s>"
                .formatted(
                        element,
                        escaped(name),
                        reference,
                        attributes,
                        props.isEmpty() ? "" : "<props>" + props + "</props>",
                        element);
    }

    private static String escaped(String text) {
        return text.chars()
                .mapToObj(c -> Character.isISOControl(c) || "<>&\"".indexOf(c) >= 0
                        ? "&#%d;".formatted(c)
                        : String.valueOf((char) c))
                .collect(Collectors.joining());
    }

    String properties(Random random) {
        String prefix = "elasticjob.jobs." + (name.matches("[a-z-]+") ? name : "[" + name + "]") + ".";
        String type = escapedProperty(prefix + "elasticJobClass", true) + "=a.Job\n";
        return settings.entrySet().stream()
                .map(setting -> escapedProperty(prefix + key(setting.getKey()), true)
                        + "="
                        + (random.nextBoolean() ? escapedProperty(setting.getValue(), false) : raw(setting.getValue()))
                        + "\n")
                .collect(Collectors.joining("", type, ""));
    }

    private static String key(String key) {
        return key.startsWith("props.") ? "props[" + key.substring(6) + "]" : key;
    }

    private static String escapedProperty(String text, boolean key) {
        return text.chars()
                .mapToObj(c -> c < ' ' || c > '~' || (key && " :=#!".indexOf(c) >= 0) || (!key && c == ' ')
                        ? "\\u%04x".formatted(c)
                        : c == '\\' ? "\\\\" : String.valueOf((char) c))
                .collect(Collectors.joining());
    }

    /** As somebody types it into an editor. */
    private static String raw(String text) {
        return text.matches("(?s).*[\\\\\\n\\r].*") || text.startsWith(" ") || text.startsWith("\t")
                ? escapedProperty(text, false)
                : text;
    }

    String yaml(Random random) {
        String lines = settings.entrySet().stream()
                .filter(setting -> !setting.getKey().startsWith("props."))
                .map(setting -> "      %s: %s\n".formatted(setting.getKey(), yaml(setting.getValue(), random)))
                .collect(Collectors.joining());
        String props = settings.entrySet().stream()
                .filter(setting -> setting.getKey().startsWith("props."))
                .map(setting -> "        \"[%s]\": %s\n"
                        .formatted(setting.getKey().substring(6), yaml(setting.getValue(), random)))
                .collect(Collectors.joining());
        return "    \"%s\":\n      elasticJobClass: a.Job\n%s%s"
                .formatted("[" + name + "]", lines, props.isEmpty() ? "" : "      props:\n" + props);
    }

    private static String yaml(String value, Random random) {
        boolean plain = value.matches("[A-Za-z0-9_.:~-]+") && !value.endsWith(":") && random.nextBoolean();
        return plain ? value : json(value);
    }

    String json() {
        String members = settings.entrySet().stream()
                .filter(setting -> !setting.getKey().startsWith("props."))
                .map(setting -> "%s: %s".formatted(json(camel(setting.getKey())), json(setting.getValue())))
                .collect(Collectors.joining(",\n"));
        return "{\"jobName\": %s, \"jobClass\": \"a.Job\", \"jobType\": \"SIMPLE\",\n%s}"
                .formatted(json(name), members);
    }

    /** JSON is YAML, too. */
    String yaml3() {
        return "---\n"
                + json().substring(1)
                        .replaceFirst("}$", "")
                        .replace(",\n", "\n")
                        .replace(", \"", "\n\"")
                        .strip() + "\n";
    }

    private static String camel(String key) {
        StringBuilder camel = new StringBuilder();
        for (String word : key.split("-")) {
            camel.append(camel.isEmpty() ? word : word.substring(0, 1).toUpperCase() + word.substring(1));
        }
        return camel.toString();
    }

    private static String json(String text) {
        return text.chars()
                .mapToObj(c -> c < ' ' || c > '~'
                        ? "\\u%04x".formatted(c)
                        : c == '"' || c == '\\' ? "\\" + (char) c : String.valueOf((char) c))
                .collect(Collectors.joining("", "\"", "\""));
    }
}
