package dev.elasticjob.migration;

import dev.elasticjob.migration.output.SettingsPlacement;
import java.util.Optional;

/**
 * How to convert.
 *
 * @param placement where the settings of jobs with a class go
 * @param targetNamespace the namespace to use instead of the present one
 * @param registryId the id of the registry to convert, if the source has several; by default, the one with the most jobs
 */
public record MigrationOptions(
        SettingsPlacement placement, Optional<String> targetNamespace, Optional<String> registryId) {
    public static final MigrationOptions DEFAULT =
            new MigrationOptions(SettingsPlacement.PROPERTIES, Optional.empty(), Optional.empty());

    public MigrationOptions withPlacement(SettingsPlacement other) {
        return new MigrationOptions(other, targetNamespace, registryId);
    }

    public MigrationOptions withTargetNamespace(String other) {
        return new MigrationOptions(placement, Optional.of(other), registryId);
    }

    public MigrationOptions withRegistryId(String other) {
        return new MigrationOptions(placement, targetNamespace, Optional.of(other));
    }
}
