package dev.elasticjob.definition;

/** The kinds of job, spelled as they are stored. */
public enum JobType {
    SIMPLE,
    DATAFLOW,
    SCRIPT,
    HTTP;

    /** Whether the definition alone says what to do, so that there is no code of the application's. */
    public boolean isWithoutCode() {
        return this == SCRIPT || this == HTTP;
    }
}
