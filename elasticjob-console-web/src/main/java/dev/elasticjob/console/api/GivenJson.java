package dev.elasticjob.console.api;

import dev.elasticjob.admin.table.ArgumentSource;
import dev.elasticjob.admin.table.InvalidArgumentsException;
import dev.elasticjob.console.web.CommandBody;
import dev.elasticjob.console.web.InvalidRequestException;
import dev.elasticjob.console.web.Route.Call;
import dev.elasticjob.definition.InvalidJobDefinitionException.Violation;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where arguments stand in a request over HTTP: in the path, in the header {@link #IF_MATCH}, or in the JSON of the body.
 *
 * @param renamed arguments that have another name here than in the command; {@link #NOWHERE} if they can't be given
 */
record GivenJson(Call call, CommandBody body, Map<String, String> renamed) implements ArgumentSource {
    static final String IF_MATCH = "If-Match";
    static final String NOWHERE = "";

    @Override
    public Set<String> names() {
        return body.names();
    }

    @Override
    public String nameOf(String argument) {
        return renamed.getOrDefault(argument, argument);
    }

    @Override
    public boolean isInAddress(String argument) {
        String name = nameOf(argument);
        return name.equals(NOWHERE) || name.equals(IF_MATCH) || isInPath(name);
    }

    private boolean isInPath(String name) {
        return call.variables().containsKey(name);
    }

    @Override
    public boolean choosesIds() {
        return true;
    }

    @Override
    public boolean has(String argument) {
        String name = nameOf(argument);
        return isInPath(name)
                || body.has(name)
                || (name.equals(IF_MATCH) && version().isPresent());
    }

    @Override
    public String shown(String name) {
        return body.has(name) ? body.shown(name) : call.variables().getOrDefault(name, "");
    }

    @Override
    public Optional<String> text(String argument) {
        String name = nameOf(argument);
        if (name.equals(IF_MATCH)) {
            return version();
        }
        return isInPath(name) ? Optional.of(inPath(name)) : body.text(name);
    }

    private Optional<String> version() {
        return call.request()
                .header("if-match")
                .map(text -> text.strip().replaceAll("^\"|\"$", ""))
                .filter(text -> !text.isEmpty());
    }

    private String inPath(String name) {
        try {
            return call.name(name);
        } catch (InvalidRequestException e) {
            throw new InvalidArgumentsException(
                    name,
                    e.violations().stream()
                            .map(one -> new Violation(one.field(), one.found(), one.expected()))
                            .toList());
        }
    }

    @Override
    public Optional<Long> number(String argument) {
        return body.number(nameOf(argument));
    }

    @Override
    public Optional<Map<String, Object>> settings(String argument) {
        return body.object(nameOf(argument));
    }

    @Override
    public NavigableSet<Integer> items(String one, String several) {
        return isInPath(one) ? new TreeSet<>(List.of(itemInPath(one))) : body.items(nameOf(one), nameOf(several));
    }

    private int itemInPath(String name) {
        try {
            return Integer.parseUnsignedInt(inPath(name));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected the number of an item", e);
        }
    }
}
