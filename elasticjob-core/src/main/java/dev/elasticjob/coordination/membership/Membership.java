package dev.elasticjob.coordination.membership;

import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;

/**
 * This process among the instances of a job or a group: under which id it shows itself, in which sessions it has done so,
 * and what it contributes to the transactions by which it joins and leaves.
 *
 * <p>Confined to the coordination executor.
 */
public final class Membership {
    private final MemberNodes nodes;
    private final InstanceIdentity identity;
    private final BinaryOperator<String> data;
    private final Set<Long> ownSessions = new HashSet<>();
    private int collisions;

    /** @param data what the instance's node holds, by the instance's id and its server's address */
    public Membership(MemberNodes nodes, InstanceIdentity identity, BinaryOperator<String> data) {
        this.nodes = nodes;
        this.identity = identity;
        this.data = data;
    }

    /** This instance's id; final once it has joined. */
    public String instance() {
        return identity.id(collisions);
    }

    public String ip() {
        return identity.ip();
    }

    /** What joining and leaving have to read. */
    public List<RegistryRead> reads() {
        return RegistryRead.allData(nodes.instances(), nodes.instance(instance()), nodes.election(), nodes.leader());
    }

    /** The node under this instance's id. */
    public Optional<RegistryNode> holder(RegistryAnswer answer) {
        return answer.node(nodes.instance(instance()));
    }

    /** Whether this process has created the node, in this session or a former one. */
    public boolean isOurs(RegistryNode node, RegistrySession session) {
        return session.owns(node) || ownSessions.contains(node.ephemeralOwner());
    }

    /** Whether another process is registered under this instance's id; from now on this one has another id. */
    public boolean hasCollided(RegistrySession session, RegistryAnswer answer) {
        boolean taken = holder(answer).filter(node -> !isOurs(node, session)).isPresent();
        if (taken) {
            collisions++;
        }
        return taken;
    }

    /** Shows this instance, in place of the node of a former session of this process. */
    public RegistryCommit show(RegistrySession session, RegistryAnswer answer) {
        Optional<RegistryNode> holder = holder(answer);
        ownSessions.add(session.id());
        if (holder.isEmpty()) {
            return nodes.register(instance(), text());
        }
        return session.owns(holder.get()) ? RegistryCommit.builder().build() : showAnew(answer);
    }

    /** Shows this instance as another one, in place of its present node. */
    public RegistryCommit showAnew(RegistryAnswer answer) {
        return nodes.registerAnew(instance(), text(), answer);
    }

    /** What this instance's node holds. */
    String text() {
        return data.apply(instance(), ip());
    }

    /** Stands for election if there is no leader; gives up the leadership of a former session of ours. */
    public RegistryCommit stand(RegistrySession session, RegistryAnswer answer) {
        Optional<RegistryNode> leader = answer.node(nodes.leader());
        if (leader.isEmpty()) {
            return nodes.elect(instance());
        }
        return session.owns(leader.get()) || !isOurs(leader.get(), session)
                ? RegistryCommit.builder().build()
                : giveUpLeadership(answer);
    }

    /** Whether this instance leads once a transaction with {@link #stand} is carried out. */
    public boolean leads(RegistrySession session, RegistryAnswer answer) {
        return answer.node(nodes.leader()).map(session::owns).orElse(true);
    }

    /** Deletes the nodes of this instance, and its leadership; empty if there are none. */
    public RegistryCommit withdraw(RegistrySession session, RegistryAnswer answer) {
        RegistryCommit.Builder commit = RegistryCommit.builder();
        holder(answer)
                .filter(node -> isOurs(node, session))
                .ifPresent(node ->
                        commit.addAll(MemberNodes.giveUp(nodes.instance(instance()), nodes.instances(), answer)));
        answer.node(nodes.leader())
                .filter(node -> isOurs(node, session))
                .ifPresent(node -> commit.addAll(giveUpLeadership(answer)));
        return commit.build();
    }

    private RegistryCommit giveUpLeadership(RegistryAnswer answer) {
        return MemberNodes.giveUp(nodes.leader(), nodes.election(), answer);
    }
}
