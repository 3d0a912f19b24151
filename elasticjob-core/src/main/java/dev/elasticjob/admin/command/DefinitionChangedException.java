package dev.elasticjob.admin.command;

/** A definition was changed by others since the caller read it. Nothing was written. */
public final class DefinitionChangedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final transient VersionedDefinition newer;

    public DefinitionChangedException(String version, VersionedDefinition newer) {
        super(
                ("Expected the definition of job \"%s\" to have the version \"%s\", but it has \"%s\": it was changed in the"
                                + " meantime. Read it again, and repeat the change")
                        .formatted(newer.definition().jobName(), version, newer.version()));
        this.newer = newer;
    }

    /** The stored definition. */
    public VersionedDefinition newer() {
        return newer;
    }
}
