package dev.elasticjob.engine;

import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.table.ArgumentSource;
import dev.elasticjob.admin.table.DryRun;
import dev.elasticjob.admin.table.DryRunReads;
import dev.elasticjob.admin.table.GivenArguments;
import dev.elasticjob.admin.table.OperatorCommand;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What commands would do in a simulated cluster. */
record DryRuns(SimulatedCluster cluster) {
    /** @param job empty for a command that concerns the namespace */
    DryRun of(OperatorCommand command, String job, Map<String, Object> arguments) {
        GivenArguments given = new GivenArguments(new Given(arguments));
        command.read(given);
        var reads = new DryRunReads(cluster.inspector(), new RegistryJobAdmin(cluster.operator()), cluster.now());
        return cluster.get(command.dryRun(reads, job, given));
    }

    /** The outcome, and each effect with its number, of a command that concerns the namespace. */
    String text(OperatorCommand command, Map<String, Object> arguments) {
        return text(command, "", arguments);
    }

    /** The same of a command that concerns a job. */
    String text(OperatorCommand command, String job, Map<String, Object> arguments) {
        DryRun run = of(command, job, arguments);
        return run.effects().stream()
                .map(effect -> effect.code() + " " + effect.count())
                .collect(Collectors.joining(", ", run.outcome() + " ", ""));
    }

    /** Texts, numbers and settings by their names. */
    private record Given(Map<String, Object> values) implements ArgumentSource {
        @Override
        public Set<String> names() {
            return values.keySet();
        }

        @Override
        public boolean has(String argument) {
            return values.containsKey(argument);
        }

        @Override
        public String shown(String name) {
            return has(name) ? String.valueOf(values.get(name)) : "";
        }

        @Override
        public Optional<String> text(String argument) {
            return value(argument, String.class);
        }

        @Override
        public Optional<Long> number(String argument) {
            return value(argument, Long.class);
        }

        @Override
        @SuppressWarnings("unchecked")
        public Optional<Map<String, Object>> settings(String argument) {
            return value(argument, Map.class).map(settings -> (Map<String, Object>) settings);
        }

        private <T> Optional<T> value(String argument, Class<T> type) {
            return Optional.ofNullable(values.get(argument))
                    .filter(type::isInstance)
                    .map(type::cast);
        }

        @Override
        public NavigableSet<Integer> items(String one, String several) {
            return new TreeSet<>();
        }
    }
}
