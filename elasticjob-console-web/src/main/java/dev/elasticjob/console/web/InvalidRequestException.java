package dev.elasticjob.console.web;

import java.util.List;
import java.util.stream.Collectors;

/** Values of a request that can't be used: all of them. */
public final class InvalidRequestException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<Violation> violations;

    public InvalidRequestException(List<Violation> violations) {
        super(violations.stream()
                .map(violation ->
                        "%s is \"%s\": %s".formatted(violation.field(), violation.found(), violation.expected()))
                .collect(Collectors.joining("; ")));
        this.violations = List.copyOf(violations);
    }

    public static InvalidRequestException of(String field, String found, String expected) {
        return new InvalidRequestException(List.of(new Violation(field, found, expected)));
    }

    public List<Violation> violations() {
        return violations;
    }

    /** One value that can't be used. */
    public record Violation(String field, String found, String expected) {}
}
