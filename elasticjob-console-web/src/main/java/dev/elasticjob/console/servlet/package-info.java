/** The console in a servlet application. */
@NullMarked
package dev.elasticjob.console.servlet;

import org.jspecify.annotations.NullMarked;
