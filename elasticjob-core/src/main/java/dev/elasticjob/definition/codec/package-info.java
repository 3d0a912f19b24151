/**
 * The stored form of definitions, whose keys are the names of their settings. Start at {@link
 * dev.elasticjob.definition.codec.JobDefinitionCodec}. Pure and thread-safe.
 */
@NullMarked
package dev.elasticjob.definition.codec;

import org.jspecify.annotations.NullMarked;
