package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.engine.ElasticJobEngine;
import java.util.Optional;

/** The engine that runs the application's jobs, and the connection that it needs. */
interface EngineAccess {
    /** The same one each time; the first call creates it. Doesn't connect. */
    ElasticJobEngine engine();

    /** The starter's registry; empty if the engine has another one. Called after {@link #engine()}. */
    Optional<LateRegistry> registry();
}
