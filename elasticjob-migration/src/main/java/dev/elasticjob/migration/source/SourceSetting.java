package dev.elasticjob.migration.source;

/**
 * A setting as the source has it.
 *
 * @param key its name, as written
 * @param value its text, as written
 */
public record SourceSetting(String key, String value, SourceLocation place) {}
