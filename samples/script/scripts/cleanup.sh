#!/bin/sh
# Would clean up the files of one shop; says so instead.
echo "cleaning up $ELASTICJOB_SHARDING_PARAMETER, item $ELASTICJOB_SHARDING_ITEM of $ELASTICJOB_SHARDING_TOTAL_COUNT"
echo "the context as JSON: $1"
