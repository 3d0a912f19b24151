/** Rules for texts in a definition: names of nodes, and command lines. */
@NullMarked
package dev.elasticjob.definition.text;

import org.jspecify.annotations.NullMarked;
