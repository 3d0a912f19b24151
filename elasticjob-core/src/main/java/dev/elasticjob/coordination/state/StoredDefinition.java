package dev.elasticjob.coordination.state;

import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.definition.UnreadableDefinitionException.Part;
import dev.elasticjob.definition.codec.DecodedDefinition;
import dev.elasticjob.definition.codec.JobDefinitionCodec;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A job's definition as the registry has it: what {@code docs/internals/protocol.md} calls "config". It is in two
 * nodes, or wholly in the extension, which says so; a config beside such an extension is not ours, and doesn't count.
 *
 * @param inForce the node without which there is no job: the config, or the extension that is the whole definition, or
 *     would be if it could be read; empty if there is no definition
 */
public record StoredDefinition(
        JobTree tree, Optional<RegistryNode> config, Optional<RegistryNode> extension, Optional<NodeVersion> inForce) {
    private static final int SHOWN = 8_000;
    private static final JobDefinitionCodec CODEC = new JobDefinitionCodec();

    /**
     * The node in force, at the version that guards a step that depends on the definition.
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

    /** @param answer to {@link #reads} at least */
    public static StoredDefinition of(JobTree tree, RegistryAnswer answer) {
        Optional<RegistryNode> config = answer.node(tree.config());
        Optional<RegistryNode> extension = answer.node(tree.extension());
        // An extension that was made unreadable doesn't mean that the job is removed.
        Optional<NodeVersion> whole = extension
                .filter(node -> CODEC.isWhole(node.data()) || (config.isEmpty() && !CODEC.isReadable(node.data())))
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

    /** Whether all of it is in the extension. */
    boolean isWhole() {
        return inForce.filter(node -> node.path().equals(tree.extension())).isPresent();
    }

    /** Whether a config stands beside an extension that is the whole definition. */
    public boolean hasStrangeConfig() {
        return isWhole() && config.isPresent();
    }

    /** When it was last changed, by the registry's clock. */
    public Instant modified() {
        Instant inExtension = extension.orElseThrow().modified();
        return config.filter(node -> !isWhole())
                .map(RegistryNode::modified)
                .filter(inExtension::isBefore)
                .orElse(inExtension);
    }

    /**
     * Reads it, with defaults for what is missing.
     *
     * @throws UnreadableDefinitionException if it is no definition, or an invalid one
     */
    public DecodedDefinition decode() {
        return decode(Optional.empty());
    }

    /**
     * Reads it.
     *
     * @param local has the settings of an extension that is missing
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
        return problem(local)
                .flatMap(problem -> sharding.flatMap(NodeCodec::cron))
                .map(this::withCron)
                .filter(corrected -> corrected.problem(local).isEmpty())
                .orElse(this)
                .decode(local);
    }

    /** Why it can't be used; empty if it can. */
    public Optional<UnreadableDefinitionException> problem(Optional<JobDefinition> local) {
        try {
            decode(local);
            return Optional.empty();
        } catch (UnreadableDefinitionException e) {
            return Optional.of(e);
        }
    }

    /** Whether it can be used. */
    public boolean isReadable() {
        return problem(Optional.empty()).isEmpty();
    }

    /** Whether it is this definition. */
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

    /** The data of one of its nodes, for people. */
    public String text(Part part) {
        String text = (part == Part.CONFIG ? config : extension)
                .map(RegistryNode::text)
                .orElse("");
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    }

    // ------------------------------------------------------------------ writing

    /** Asserts that nothing of it has changed. */
    public RegistryCommit unchanged() {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        config.filter(node -> !isWhole()).ifPresent(node -> commit.check(tree.config(), node.version()));
        extension.ifPresent(node -> commit.check(tree.extension(), node.version()));
        return commit.build();
    }

    /** Puts another definition in its place, at the versions read. An extension that isn't there is not created. */
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

    /** The same where nothing of what was stored is wanted again: an extension that isn't there is created. */
    public RegistryCommit whollyReplacedBy(JobDefinition next) {
        RegistryCommit.Builder commit = RegistryCommit.builder().addAll(replacedBy(next));
        if (extension.isEmpty()) {
            commit.create(tree.extension(), CODEC.extension(next, Optional.empty()));
        }
        return commit.build();
    }
}
