/**
 * The console without a web framework: a request comes in as a value, and a stage of a response goes out. {@link
 * dev.elasticjob.console.web.ConsoleHandler} is the door. Nothing here blocks.
 */
@NullMarked
package dev.elasticjob.console.web;

import org.jspecify.annotations.NullMarked;
