package dev.elasticjob.spring.actuate;

import dev.elasticjob.admin.table.CommandTable;
import dev.elasticjob.admin.table.GivenArguments;
import dev.elasticjob.admin.table.InvalidArgumentsException;
import dev.elasticjob.admin.table.OperatorCommand;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the endpoint says about the values of a command, without the Actuator. */
public final class EndpointDoor {
    private EndpointDoor() {}

    /** What was expected, by name; of several faults, the last. */
    public static Map<String, String> refused(OperatorCommand command, Map<String, Object> values) {
        GivenArguments given = new GivenArguments(new GivenTexts(values));
        Map<String, String> refused = new LinkedHashMap<>();
        try {
            command.read(given);
            given.find(CommandTable.DRY_RUN);
            given.end(command.taker());
        } catch (InvalidArgumentsException e) {
            e.violations().forEach(one -> refused.put(one.setting(), one.expected()));
        }
        return refused;
    }
}
