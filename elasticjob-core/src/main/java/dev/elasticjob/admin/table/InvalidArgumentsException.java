package dev.elasticjob.admin.table;

import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import java.util.List;
import java.util.stream.Collectors;

/** Values of a request that can't be used, or that nobody takes. The message lists all of them. Nothing was done. */
public final class InvalidArgumentsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<Violation> violations;

    /** @param taker what the values were for */
    public InvalidArgumentsException(String taker, List<Violation> violations) {
        super(violations.stream()
                .map(violation -> System.lineSeparator() + "  - " + violation)
                .collect(Collectors.joining(
                        "", "Nothing was done, because these values can't be used for %s:".formatted(taker), "")));
        this.violations = List.copyOf(violations);
    }

    /** Never empty. */
    public List<Violation> violations() {
        return violations;
    }
}
