/** The console in a reactive application. */
@NullMarked
package dev.elasticjob.console.reactive;

import org.jspecify.annotations.NullMarked;
