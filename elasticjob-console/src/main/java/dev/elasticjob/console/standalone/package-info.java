/** The console as an application of its own, which shows several registries and runs no jobs. */
@NullMarked
package dev.elasticjob.console.standalone;

import org.jspecify.annotations.NullMarked;
