package dev.elasticjob.migration.output;

/** Where the settings of jobs with a class go. */
public enum SettingsPlacement {
    /** To {@code application.yml}; the annotation has only the name. */
    PROPERTIES,
    /** To the annotation. */
    ANNOTATIONS
}
