/** The configurations of Elastic-Job 2.x and ElasticJob 3.x as lists of settings with their places. Nothing is interpreted here. */
@NullMarked
package dev.elasticjob.migration.source;

import org.jspecify.annotations.NullMarked;
