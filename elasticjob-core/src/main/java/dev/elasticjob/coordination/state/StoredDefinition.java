package dev.elasticjob.coordination.state;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.UnreadableDefinitionException.Part;
import dev.elasticjob.definition.codec.DecodedDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.definition.codec.SalvagedSettings;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A job's stored definition: what {@code docs/internals/protocol.md} calls "config". It has two nodes, or only the
 * extension, which says so; a config next to such an extension is not ours, and is ignored.
 *
 * @param inForce the node without which the job doesn't exist: the config, or the extension that is, or would be if it
 *     were readable, the whole definition; empty if there is no definition
 */
public record StoredDefinition(
        JobTree tree, Optional<RegistryNode> config, Optional<RegistryNode> extension, Optional<NodeVersion> inForce) {
    private static final int SHOWN = 8_000;
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();

    /**
     * The node in force, at the version that guards steps that depend on the definition.
     *
     * @param path the path of the node in force
     */
    public record NodeVersion(String path, int version) {
        public RegistryCommit check() {
            return RegistryCommit.builder().check(path, version).build();
        }
    }

    /** The reads that {@link #of} needs. */
    public static List<RegistryRead> reads(JobTree tree) {
        return List.of(RegistryRead.data(tree.config()), RegistryRead.data(tree.extension()));
    }

    /** @param answer an answer that covers at least {@link #reads} */
    public static StoredDefinition of(JobTree tree, RegistryAnswer answer) {
        Optional<RegistryNode> config = answer.node(tree.config());
        Optional<RegistryNode> extension = answer.node(tree.extension());
        // A job whose extension somebody has spoilt is not removed.
        Optional<NodeVersion> whole = extension
                .filter(node -> CODEC.isWhole(node.data()) || (config.isEmpty() && !CODEC.isLeftOver(node.data())))
                .map(node -> new NodeVersion(tree.extension(), node.version()));
        return new StoredDefinition(
                tree,
                config,
                extension,
                whole.or(() -> config.map(node -> new NodeVersion(tree.config(), node.version()))));
    }

    /** Whether the job exists; otherwise it was never registered, or was removed. */
    public boolean isPresent() {
        return inForce.isPresent();
    }

    /** Whether the extension is the whole definition. */
    boolean isWhole() {
        return inForce.filter(node -> node.path().equals(tree.extension())).isPresent();
    }

    /** Whether there is a config next to an extension that is the whole definition. */
    public boolean hasStrangeConfig() {
        return isWhole() && config.isPresent();
    }

    /** Changes with each change of its nodes, also if they were deleted and created again. */
    public String version() {
        return Stream.of(config, extension)
                .map(node -> node.map(RegistryNode::mzxid).orElse(0L))
                .map(Long::toHexString)
                .collect(Collectors.joining("-"));
    }

    /** The time of the last change, by the registry's clock. */
    public Instant modified() {
        Instant inExtension = extension.orElseThrow().modified();
        return config.filter(node -> !isWhole())
                .map(RegistryNode::modified)
                .filter(inExtension::isBefore)
                .orElse(inExtension);
    }

    /**
     * Reads it. Missing settings have their defaults.
     *
     * @throws UnreadableDefinitionException if it is no definition, or an invalid one
     */
    public DecodedDefinition decode() {
        return decode(Optional.empty());
    }

    /**
     * Reads it.
     *
     * @param local provides the settings of a missing extension
     * @throws UnreadableDefinitionException if it is no definition, or an invalid one
     */
    public DecodedDefinition decode(Optional<JobDefinition> local) {
        if (isWhole()) {
            return CODEC.decodeWhole(tree.jobName(), extension.orElseThrow().data());
        }
        byte[] data = config.orElseThrow().data();
        Optional<byte[]> more = extension.map(RegistryNode::data);
        return local.map(fallback -> CODEC.decode(data, more, fallback))
                .orElseGet(() -> CODEC.decode(tree.jobName(), data, more));
    }

    /**
     * Reads it, with the cron expression in force if only the stored one can't be used.
     *
     * @param sharding the node of the assignment
     * @throws UnreadableDefinitionException if something else is wrong with it, or no cron expression is in force
     */
    public DecodedDefinition decode(Optional<JobDefinition> local, Optional<RegistryNode> sharding) {
        try {
            return decode(local);
        } catch (UnreadableDefinitionException e) {
            return sharding.flatMap(NodeCodec::cron)
                    .map(this::withCron)
                    .filter(corrected -> corrected.problem(local).isEmpty())
                    .orElseThrow(() -> e)
                    .decode(local);
        }
    }

    /** The reason why it can't be used; empty if it can. */
    public Optional<UnreadableDefinitionException> problem(Optional<JobDefinition> local) {
        try {
            decode(local);
            return Optional.empty();
        } catch (UnreadableDefinitionException e) {
            return Optional.of(e);
        }
    }

    /** What can be read of it although it can't be used. */
    public SalvagedSettings salvaged() {
        return SalvagedSettings.of(
                tree.jobName(),
                config.filter(node -> !isWhole()).map(RegistryNode::data),
                extension.map(RegistryNode::data));
    }

    public boolean isReadable() {
        return problem(Optional.empty()).isEmpty();
    }

    /** Whether it equals this definition. */
    public boolean holds(JobDefinition definition) {
        return isReadable() && decode().definition().equals(definition);
    }

    private StoredDefinition withCron(String cron) {
        Optional<RegistryNode> other =
                (isWhole() ? extension : config).map(node -> node.holding(CODEC.withCron(node.data(), cron)));
        return isWhole()
                ? new StoredDefinition(tree, config, other, inForce)
                : new StoredDefinition(tree, other, extension, inForce);
    }

    /** The data of one of its nodes, for messages. */
    public String text(Part part) {
        String text = (part == Part.CONFIG ? config : extension)
                .map(RegistryNode::text)
                .orElse("");
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    }

    // ------------------------------------------------------------------ writing

    /** Creates a job that is kept in the registry: its root, its definition, and its mark. */
    public static RegistryCommit created(JobTree tree, JobDefinition definition) {
        RegistryCommit.Builder commit = RegistryCommit.builder().create(tree.root());
        if (!CODEC.isWhole(definition)) {
            commit.create(tree.config(), CODEC.config(definition, Optional.empty()));
        }
        return commit.create(tree.extension(), CODEC.extension(definition, Optional.empty()))
                .create(tree.origin())
                .build();
    }

    /** Asserts that it has not changed. */
    public RegistryCommit unchanged() {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        config.filter(node -> !isWhole()).ifPresent(node -> commit.check(tree.config(), node.version()));
        extension.ifPresent(node -> commit.check(tree.extension(), node.version()));
        return commit.build();
    }

    /** Replaces it with another definition, at the versions read. A missing extension is not created. */
    public RegistryCommit replacedBy(JobDefinition next) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        if (CODEC.isWhole(next)) {
            config.filter(node -> !isWhole()).ifPresent(node -> commit.delete(tree.config(), node.version()));
        } else {
            byte[] data = CODEC.config(next, config.map(RegistryNode::data));
            commit.setOrCreate(tree.config(), data, config.map(RegistryNode::version));
        }
        extension.ifPresent(
                node -> commit.set(tree.extension(), CODEC.extension(next, Optional.of(node.data())), node.version()));
        return commit.build();
    }

    /** Replaces it without keeping any stored value. A missing extension is created. */
    public RegistryCommit whollyReplacedBy(JobDefinition next) {
        RegistryCommit.Builder commit = RegistryCommit.builder().addAll(replacedBy(next));
        if (extension.isEmpty()) {
            commit.create(tree.extension(), CODEC.extension(next, Optional.empty()));
        }
        return commit.build();
    }
}
