/**
 * How a definition is stored: the only place that spells the stored keys. The door is {@link
 * dev.elasticjob.definition.codec.JobDefinitionCodec}. Pure; safe for use by any thread.
 */
@NullMarked
package dev.elasticjob.definition.codec;

import org.jspecify.annotations.NullMarked;
