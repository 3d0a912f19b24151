package dev.elasticjob.spring.autoconfigure;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import dev.elasticjob.engine.ElasticJobEngine;
import java.util.List;
import java.util.Optional;

/** Which strategies jobs may name. */
interface StrategyNames {
    /** For an engine of the application's own: it checks the names itself, when it is given the jobs. */
    StrategyNames ANY = name -> Optional.empty();

    /** The built-in ones, and these beans. */
    static StrategyNames of(List<String> beans) {
        return name -> ElasticJobEngine.unknownStrategy(name, beans);
    }

    /** What is wrong with a name; empty when there is such a strategy. */
    Optional<Violation> violation(String name);
}
