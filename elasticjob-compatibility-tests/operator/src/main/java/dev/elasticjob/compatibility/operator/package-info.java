/**
 * An operator with the released tools of Elastic-Job 2.1.5, in a JVM of its own because of what they bring along. The
 * door is {@link dev.elasticjob.compatibility.operator.Main}: commands come as lines on its input, answers go as lines
 * to its output.
 */
package dev.elasticjob.compatibility.operator;
