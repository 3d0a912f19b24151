package dev.elasticjob.coordination;

import dev.elasticjob.definition.DecodedDefinition;
import dev.elasticjob.definition.JobConflictException;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.definition.JobDefinitionCodec;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an instance joins a job and leaves it: the nodes of the job are made where they are missing, the definition is
 * agreed on, and the instance shows itself. One read and one transaction; refused, it looks again.
 *
 * <p>Confined to the coordination executor.
 */
final class InstanceRegistration {
    private static final Logger log = LoggerFactory.getLogger(InstanceRegistration.class);

    private final JobScope scope;
    private final JobDefinition local;
    private final InstanceIdentity identity;
    private final Foreigners foreigners;
    private final JobTransactions transactions;
    private final JobDefinitionCodec codec = new JobDefinitionCodec();
    private final Set<Long> ownSessions = new HashSet<>();
    private int collisions;
    private boolean differencesTold;
    private List<String> warned = List.of();
    /** The newest session in which it was registered; 0 before the first. */
    private long joinedIn;

    private boolean metNobody;

    InstanceRegistration(JobScope scope, JobDefinition local, InstanceIdentity identity, Foreigners foreigners) {
        this.scope = scope;
        this.foreigners = foreigners;
        this.local = local;
        this.identity = identity;
        this.transactions = new JobTransactions(scope.tree());
    }

    /** What became of an attempt to join. */
    enum Outcome {
        /** Refused, or the id is taken: to be tried again. */
        NOT_YET,
        /** The job's configuration has gone since this session has joined: nothing of it is made anew. */
        REMOVED,
        AS_MEMBER,
        AS_LEADER
    }

    /** The id under which this process takes part; final once it has joined. */
    String instance() {
        return identity.id(collisions);
    }

    String ip() {
        return identity.ip();
    }

    /**
     * One attempt at joining in the session.
     *
     * @return fails with {@link JobConflictException} or
     *     {@link dev.elasticjob.definition.UnreadableDefinitionException}
     */
    CompletionStage<Outcome> join(RegistrySession session) {
        return scope.registry()
                .read(reads())
                .thenComposeAsync(
                        answer -> joinedIn == 0
                                ? foreigners
                                        .mayJoin(answer.children(scope.tree().instances()))
                                        .thenComposeAsync(may -> join(session, answer), scope.executor())
                                : join(session, answer),
                        scope.executor());
    }

    private List<RegistryRead> reads() {
        JobTree tree = scope.tree();
        List<String> paths = new ArrayList<>(tree.parents());
        paths.addAll(List.of(
                tree.root(),
                tree.config(),
                tree.extension(),
                tree.sharding(),
                tree.server(ip()),
                tree.instance(instance()),
                tree.triggerOf(instance()),
                tree.drain(instance()),
                tree.leader()));
        List<RegistryRead> reads =
                new ArrayList<>(paths.stream().map(RegistryRead::data).toList());
        reads.add(RegistryRead.children(tree.instances()));
        return reads;
    }

    /** Whether no instance was there when it joined for the first time. */
    boolean hasMetNobody() {
        return metNobody;
    }

    private CompletionStage<Outcome> join(RegistrySession session, RegistryAnswer answer) {
        JobTree tree = scope.tree();
        StoredDefinition stored = StoredDefinition.of(tree, answer);
        Optional<RegistryNode> holder = answer.node(tree.instance(instance()));
        if (holder.isPresent() && !isOurs(holder.get(), session)) {
            collisions++;
            log.info(
                    "Job \"{}\": another process is registered as this instance; trying the id \"{}\"",
                    scope.jobName(),
                    instance());
            return CompletableFuture.completedFuture(Outcome.NOT_YET);
        }
        if (joinedIn == session.id() && !stored.isPresent()) {
            return CompletableFuture.completedFuture(Outcome.REMOVED);
        }
        RegistryCommit.Builder commit = RegistryCommit.builder();
        JobDefinition agreed = agree(stored, answer, commit);
        createMissing(answer, agreed, commit);
        showUp(session, answer, holder, commit);
        boolean stands = stand(session, answer.node(tree.leader()), commit);
        ownSessions.add(session.id());
        return scope.connection()
                .commit(session, commit.build())
                .thenApplyAsync(
                        outcome -> {
                            if (outcome instanceof CommitOutcome.Committed) {
                                metNobody |= joinedIn == 0
                                        && answer.children(tree.instances()).isEmpty();
                                joinedIn = session.id();
                                return stands ? Outcome.AS_LEADER : Outcome.AS_MEMBER;
                            }
                            return Outcome.NOT_YET;
                        },
                        scope.executor());
    }

    /** Creates the instance's node, and deletes what an older holder of the id has left. */
    private void showUp(
            RegistrySession session,
            RegistryAnswer answer,
            Optional<RegistryNode> holder,
            RegistryCommit.Builder commit) {
        JobTree tree = scope.tree();
        if (holder.isPresent() && !session.owns(holder.get())) {
            commit.delete(tree.instance(instance()), holder.get().version());
        }
        if (holder.filter(session::owns).isEmpty()) {
            commit.createEphemeral(tree.instance(instance()), NodeCodec.instance(instance(), ip()));
        }
        // A drain names a node of before; a trigger that has come since we first had the id is for us.
        List<String> leftOvers = holder.isEmpty() && joinedIn == 0
                ? List.of(tree.drain(instance()), tree.triggerOf(instance()))
                : List.of(tree.drain(instance()));
        leftOvers.forEach(path -> answer.node(path).ifPresent(leftOver -> commit.delete(path, leftOver.version())));
    }

    private boolean isOurs(RegistryNode node, RegistrySession session) {
        return session.owns(node) || ownSessions.contains(node.ephemeralOwner());
    }

    /**
     * Stands for election where nobody leads; a leadership of a former session of ours is given up.
     *
     * @return whether this instance leads once the transaction is carried out
     */
    private boolean stand(RegistrySession session, Optional<RegistryNode> leader, RegistryCommit.Builder commit) {
        String path = scope.tree().leader();
        if (leader.isEmpty()) {
            commit.createEphemeral(path, instance());
            return true;
        }
        boolean former = isOurs(leader.get(), session) && !session.owns(leader.get());
        if (former) {
            commit.delete(path, leader.get().version());
        }
        return session.owns(leader.get());
    }

    private void createMissing(RegistryAnswer answer, JobDefinition agreed, RegistryCommit.Builder commit) {
        JobTree tree = scope.tree();
        List<String> parents = new ArrayList<>(tree.parents());
        parents.add(tree.sharding());
        for (String path : parents) {
            if (answer.node(path).isEmpty()) {
                commit.create(path);
            }
        }
        if (answer.node(tree.server(ip())).isEmpty()) {
            commit.create(tree.server(ip()), agreed.disabled() ? ServerState.DISABLED : ServerState.ENABLED);
        }
    }

    /** The definition to go by; writes the local one where there is none, or where it is to overwrite. */
    private JobDefinition agree(StoredDefinition stored, RegistryAnswer answer, RegistryCommit.Builder commit) {
        JobTree tree = scope.tree();
        if (answer.node(tree.root()).isEmpty()) {
            commit.create(tree.root());
        }
        boolean replaces = stored.isPresent() && local.overwrite() && isUnreadable(stored);
        JobDefinition agreed = stored.isPresent() && !replaces ? agreeWith(stored, answer) : local;
        boolean writes =
                !stored.isPresent() || replaces || (local.overwrite() && !agreed.equals(decode(stored, answer)));
        commit.addAll(writes ? stored.replacedBy(agreed) : stored.unchanged());
        if (stored.extension().isEmpty()) {
            commit.create(tree.extension(), codec.extension(agreed, Optional.empty()));
        }
        return agreed;
    }

    /** What can't be read is shown before it is replaced: some of it may be wanted again. */
    private boolean isUnreadable(StoredDefinition stored) {
        try {
            stored.decode(local);
            return false;
        } catch (UnreadableDefinitionException e) {
            String node = scope.tree().node(e.part());
            warn(List.of(
                    "\"%s\" can't be read, and is replaced by this application's settings, as \"overwrite\" is true. %s. It held: %s"
                            .formatted(node, e.reason(), stored.text(e.part()))));
            return true;
        }
    }

    private JobDefinition agreeWith(StoredDefinition found, RegistryAnswer answer) {
        JobDefinition stored = decode(found, answer);
        boolean renamed = !local.overwrite() && isOfAnotherClass(stored);
        if (!local.overwrite()) {
            refuseAnotherType(stored, renamed);
        }
        JobDefinition here =
                renamed ? local.toBuilder().jobClass(stored.jobClass()).build() : local;
        List<String> differences = here.differences(stored);
        if (!differencesTold && renamed) {
            tellRenamed(stored);
        }
        if (!differencesTold && !differences.isEmpty()) {
            tell(differences);
        }
        differencesTold |= renamed || !differences.isEmpty();
        return local.overwrite() ? local : stored;
    }

    private void tellRenamed(JobDefinition stored) {
        log.warn(
                "Job \"{}\": the registry has the class \"{}\" for it, this application the class \"{}\": it follows the"
                        + " registry's settings, as after a renaming. If these are two different jobs, give one of them another"
                        + " name at once: each runs items of the other now. If it was renamed, set the class with"
                        + " JobAdmin.redefine, or the job's \"overwrite\" to true for one start, and this warning ends",
                scope.jobName(),
                stored.jobClass(),
                local.jobClass());
    }

    private void tell(List<String> differences) {
        if (local.overwrite()) {
            log.info(
                    "Job \"{}\": this application's settings replace those in the registry, as \"overwrite\" is true: {}",
                    scope.jobName(),
                    String.join("; ", differences));
        } else {
            log.warn(
                    "Job \"{}\": these settings of this application are ignored, because the registry has others: {}. Change"
                            + " them in the registry; or set the job's \"overwrite\" to true for one start, which also"
                            + " replaces what operators have changed",
                    scope.jobName(),
                    String.join("; ", differences));
        }
    }

    private boolean isOfAnotherClass(JobDefinition stored) {
        return !stored.jobClass().equals(local.jobClass())
                && !stored.jobClass().isEmpty()
                && !local.jobClass().isEmpty();
    }

    /** Code can't stand in for a definition alone, nor one kind of code for another: a class may have been renamed. */
    private void refuseAnotherType(JobDefinition stored, boolean renamed) {
        boolean withoutCode =
                stored.jobType().isWithoutCode() || local.jobType().isWithoutCode();
        if ((withoutCode || renamed) && stored.jobType() != local.jobType()) {
            throw new JobConflictException(scope.jobName(), stored.jobType(), local.jobType());
        }
    }

    private JobDefinition decode(StoredDefinition stored, RegistryAnswer answer) {
        try {
            return decode(stored);
        } catch (UnreadableDefinitionException e) {
            return answer.node(scope.tree().sharding())
                    .flatMap(AssignmentInForce::cron)
                    .flatMap(cron -> decodeBeside(stored, cron))
                    .orElseThrow(() -> e);
        }
    }

    /** What is stored, with the cron expression in force, where nothing is wrong with it but its own. */
    Optional<JobDefinition> decodeBeside(StoredDefinition stored, String cron) {
        try {
            return Optional.of(decode(stored, cron));
        } catch (UnreadableDefinitionException e) {
            return Optional.empty();
        }
    }

    private JobDefinition decode(StoredDefinition stored, String cron) {
        return told(stored, stored.decode(local, cron));
    }

    JobDefinition decode(StoredDefinition stored) {
        return told(stored, stored.decode(local));
    }

    private JobDefinition told(StoredDefinition stored, DecodedDefinition decoded) {
        warn(decoded.warnings());
        if (stored.hasStrangeConfig()) {
            log.warn(
                    "Job \"{}\": \"{}\" counts, as it is the whole definition; who has written \"{}\" beside it? If that"
                            + " is another application's job, give it another name; then delete the node",
                    scope.jobName(),
                    scope.tree().extension(),
                    scope.tree().config());
        }
        return decoded.definition();
    }

    /** Says what it has not just said: the definition is read again to be compared, and when a transaction is refused. */
    private void warn(List<String> warnings) {
        warnings.stream()
                .filter(warning -> !warned.contains(warning))
                .forEach(warning -> log.warn("Job \"{}\": {}", scope.jobName(), warning));
        warned = warnings;
    }

    /** Leaves: what our session owns is deleted, and the bell rings, unless the job has been removed. */
    CompletionStage<Boolean> leave(RegistrySession session) {
        JobTree tree = scope.tree();
        return scope.registry()
                .read(List.of(
                        RegistryRead.data(tree.instances()),
                        RegistryRead.data(tree.instance(instance())),
                        RegistryRead.data(tree.leader()),
                        RegistryRead.data(tree.drain(instance())),
                        RegistryRead.data(tree.config()),
                        RegistryRead.data(tree.extension()),
                        RegistryRead.data(tree.flags()),
                        RegistryRead.data(tree.necessary())))
                .thenComposeAsync(answer -> leave(session, answer), scope.executor());
    }

    private CompletionStage<Boolean> leave(RegistrySession session, RegistryAnswer answer) {
        JobTree tree = scope.tree();
        Map<String, RegistryNode> ours = new LinkedHashMap<>();
        for (String path : List.of(tree.instance(instance()), tree.leader())) {
            answer.node(path).filter(node -> isOurs(node, session)).ifPresent(node -> ours.put(path, node));
        }
        if (ours.containsKey(tree.instance(instance()))) {
            answer.node(tree.drain(instance())).ifPresent(drain -> ours.put(tree.drain(instance()), drain));
        }
        Optional<RegistryNode> instances = answer.node(tree.instances());
        if (ours.isEmpty() || instances.isEmpty()) {
            return CompletableFuture.completedFuture(true);
        }
        Optional<RegistryCommit> bell = StoredDefinition.of(tree, answer)
                .inForce()
                .filter(definition -> answer.node(tree.flags()).isPresent())
                .map(definition -> RegistryCommit.builder()
                        .addAll(definition.check())
                        .addAll(transactions.ring(answer.node(tree.necessary())))
                        .build());
        return scope.connection()
                .commit(session, transactions.leave(instances.get(), ours, bell))
                .thenApplyAsync(outcome -> outcome instanceof CommitOutcome.Committed, scope.executor());
    }
}
