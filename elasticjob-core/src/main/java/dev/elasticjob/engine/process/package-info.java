/** What an engine has of its process: an address, threads, and what it holds there beyond the end of a run. */
@NullMarked
package dev.elasticjob.engine.process;

import org.jspecify.annotations.NullMarked;
