package dev.elasticjob.definition.codec;

import java.util.Optional;

/**
 * What was done to a setting. Immutable.
 *
 * @param setting its name
 * @param before its value as JSON has it, with secrets masked; empty if it isn't known any more
 * @param after its value since then, in the same form
 */
public record SettingChange(String setting, Optional<Object> before, Optional<Object> after) {}
