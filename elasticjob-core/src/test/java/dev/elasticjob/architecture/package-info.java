/**
 * What {@code docs/internals/architecture.md} asserts about the code, as tests. {@link
 * dev.elasticjob.architecture.ArchitectureRules} reads byte code, {@link dev.elasticjob.architecture.SourceRules} reads
 * sources; both serve the other modules' tests too, through this module's test jar. Below {@code fixture} stands, for
 * each rule, code that breaks it: a rule that nothing can break proves nothing.
 */
@NullMarked
package dev.elasticjob.architecture;

import org.jspecify.annotations.NullMarked;
