package dev.elasticjob.coordination.state;

import java.util.regex.Pattern;

/** The software of an instance, according to the data of its node. */
public enum Software {
    OURS("of ours"),
    ELASTIC_JOB_2("Elastic-Job 2.x"),
    ELASTIC_JOB_3("ElasticJob 3.x"),
    OTHER("other software"),
    /**
     * Unknown, because the node contains a command: operators of 2.x write the same one into every node, where it stays
     * until the node's instance has read it.
     */
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

    /** This library writes JSON with the instance's id, 2.x leaves the node empty, and 3.x writes YAML. */
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
