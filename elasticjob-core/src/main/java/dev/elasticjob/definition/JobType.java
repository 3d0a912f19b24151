package dev.elasticjob.definition;

/** The kinds of jobs, spelled as in the registry. */
public enum JobType {
    SIMPLE,
    DATAFLOW,
    SCRIPT,
    HTTP;

    /** Whether the definition alone describes the work, so that the application contains no code for it. */
    public boolean isWithoutCode() {
        return this == SCRIPT || this == HTTP;
    }
}
