/** The page and its files. */
@NullMarked
package dev.elasticjob.console.page;

import org.jspecify.annotations.NullMarked;
