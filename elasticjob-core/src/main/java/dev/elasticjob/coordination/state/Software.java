package dev.elasticjob.coordination.state;

import java.util.regex.Pattern;

/** What runs an instance, as far as the data of its node tells. */
public enum Software {
    OURS("of ours"),
    ELASTIC_JOB_2("Elastic-Job 2.x"),
    ELASTIC_JOB_3("ElasticJob 3.x"),
    OTHER("other software"),
    /** Operators of 2.x write the same command into everybody's node, until whoever it belongs to has read it. */
    UNTOLD("untold");

    private static final String COMMAND = "TRIGGER";
    private static final Pattern YAML = Pattern.compile("(?s)(!!.*|\\w+:.*)");

    private final String text;

    Software(String text) {
        this.text = text;
    }

    static boolean isCommand(String data) {
        return data.equals(COMMAND);
    }

    /** What writes such a node: ours has JSON with its id, 2.x leaves it empty, 3.x has YAML. */
    public static Software of(String data) {
        if (isCommand(data)) {
            return UNTOLD;
        }
        if (data.isEmpty()) {
            return ELASTIC_JOB_2;
        }
        if (NodeCodec.isInstance(data)) {
            return OURS;
        }
        return YAML.matcher(data).matches() ? ELASTIC_JOB_3 : OTHER;
    }

    public boolean isForeign() {
        return this != OURS && this != UNTOLD;
    }

    @Override
    public String toString() {
        return text;
    }
}
