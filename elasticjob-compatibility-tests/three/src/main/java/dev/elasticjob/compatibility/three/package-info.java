/** An instance of the released ElasticJob 3.0.4, in a JVM of its own because of what it brings along. */
package dev.elasticjob.compatibility.three;
