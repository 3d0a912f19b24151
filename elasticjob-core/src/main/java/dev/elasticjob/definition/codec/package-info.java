/**
 * The stored form of definitions. Only this package spells the stored keys. Start at {@link
 * dev.elasticjob.definition.codec.JobDefinitionCodec}. Pure and thread-safe.
 */
@NullMarked
package dev.elasticjob.definition.codec;

import org.jspecify.annotations.NullMarked;
