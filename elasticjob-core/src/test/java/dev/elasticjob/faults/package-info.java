/**
 * The promises on real servers: processes of {@link dev.elasticjob.faults.Workload} run one job while they are killed,
 * paused and cut off, and {@link dev.elasticjob.faults.FaultOracle} judges by what they have printed. The rows of the
 * table are in {@link dev.elasticjob.faults.FaultTableIT}. Imports the engine's public door and the fixtures.
 */
@NullMarked
package dev.elasticjob.faults;

import org.jspecify.annotations.NullMarked;
