package dev.elasticjob.console.standalone;

import dev.elasticjob.admin.RegistryGroupInspector;
import dev.elasticjob.admin.RegistryJobAdmin;
import dev.elasticjob.admin.RegistryJobInspector;
import dev.elasticjob.admin.command.Actor;
import dev.elasticjob.admin.command.CommandLog;
import dev.elasticjob.console.api.ConsoleRegistry;
import dev.elasticjob.console.api.LogLink;
import dev.elasticjob.console.autoconfigure.ShownRegistries;
import dev.elasticjob.console.autoconfigure.ShownRegistries.Shown;
import dev.elasticjob.console.standalone.CheckedSettings.CheckedRegistry;
import dev.elasticjob.spring.autoconfigure.DurationsWithoutUnit;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;

/** The registries that the console shows. */
@Configuration(proxyBeanMethods = false)
class RegistriesConfiguration {
    @Bean
    static DurationsWithoutUnit durationsWithoutUnit(Environment environment) {
        return new DurationsWithoutUnit(environment);
    }

    @Bean
    CheckedSettings consoleSettings(
            StandAloneProperties properties,
            DurationsWithoutUnit durations,
            ObjectProvider<ClientRegistrationRepository> openId,
            SslBundles bundles) {
        return CheckedSettings.of(
                properties,
                durations.problems(),
                openId.getIfAvailable() != null,
                Set.copyOf(bundles.getBundleNames()));
    }

    @Bean
    Connections consoleConnections(SslBundles bundles) {
        return new Connections(bundles);
    }

    @Bean
    HistoryDatabases consoleHistories() {
        return new HistoryDatabases();
    }

    @Bean
    ShownRegistries shownRegistries(CheckedSettings settings, Connections connections, HistoryDatabases histories) {
        List<Shown> shown = settings.registries().stream()
                .map(registry -> shown(registry, connections, histories))
                .toList();
        return new ShownRegistries(shown, RegistriesConfiguration::remedyWithoutHistory);
    }

    private static String remedyWithoutHistory(String registry) {
        return "Set \"elasticjob.console.registries.%s.history.url\" to the database into which the applications record their event trace, with their \"elasticjob.tracing.enabled=true\""
                .formatted(registry);
    }

    private static Shown shown(CheckedRegistry checked, Connections connections, HistoryDatabases histories) {
        var registry = connections.add(checked);
        boolean readOnly = checked.properties().readOnly();
        var clock = Clock.systemUTC();
        return new Shown(
                checked.name(),
                checked.properties().namespace(),
                readOnly ? ConsoleRegistry.Mode.READ_ONLY : ConsoleRegistry.Mode.OPERATED,
                new RegistryJobInspector(registry, clock, connections.timer(), clock::instant, TreeMap::new),
                new RegistryJobAdmin(
                        registry, new CommandLog(event -> {}, Actor.UNKNOWN, checked.name()), connections.timer()),
                Optional.of(new RegistryGroupInspector(
                        registry, checked.properties().dynamicShardingNamespace())),
                histories.of(checked.name(), checked.properties().history()),
                Optional.ofNullable(checked.properties().logLink()).map(LogLink::new));
    }
}
