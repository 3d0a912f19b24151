/** Checks of alert rules and dashboards against what an application exports. */
@NullMarked
package dev.elasticjob.testing.prometheus;

import org.jspecify.annotations.NullMarked;
