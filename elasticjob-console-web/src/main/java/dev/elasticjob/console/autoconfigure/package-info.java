/** The console's place in an application: settings, security, threads. */
@NullMarked
package dev.elasticjob.console.autoconfigure;

import org.jspecify.annotations.NullMarked;
