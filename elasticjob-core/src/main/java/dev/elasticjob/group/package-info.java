/**
 * What an application imports to share out work that is no job among its instances (dynamic sharding). The doors are
 * {@link dev.elasticjob.group.ShardingNotice} and {@link dev.elasticjob.group.ShardAssignment}.
 */
@NullMarked
package dev.elasticjob.group;

import org.jspecify.annotations.NullMarked;
