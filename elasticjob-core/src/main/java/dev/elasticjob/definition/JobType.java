package dev.elasticjob.definition;

/** The kinds of job, spelled as they are stored. */
public enum JobType {
    SIMPLE,
    DATAFLOW,
    SCRIPT
}
