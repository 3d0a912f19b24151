package dev.elasticjob.admin.explain;

import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.state.OpenFirings;
import dev.elasticjob.coordination.view.FiringsView;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One item's nodes, which show since when something holds.
 *
 * @param view the item as an instance reads it; empty if it has no node
 * @param record the node of its record
 * @param lock the node that shows which instance executes it
 * @param disabled the operator's request not to run it
 * @param failover the signal of an interrupted execution
 * @param offer that its owner has no room for it as it is now, and offers it to the others
 * @param firings those that are open in the whole cluster; none if the job opens none, or the node can't be read
 */
public record ItemNodes(
        Optional<ItemView> view,
        Optional<RegistryNode> record,
        Optional<RegistryNode> lock,
        Optional<RegistryNode> disabled,
        Optional<RegistryNode> failover,
        Optional<RegistryNode> offer,
        OpenFirings firings) {

    /** The reads of {@link #of}, besides those of the view. */
    public static List<RegistryRead> reads(JobTree tree, int item, Optional<ItemView> view) {
        List<RegistryRead> reads = new ArrayList<>(RegistryRead.allData(
                tree.item(item), tree.running(item), tree.disabled(item), tree.failoverItem(item), tree.firings()));
        view.map(known -> RegistryRead.data(offer(tree, known))).ifPresent(reads::add);
        return reads;
    }

    /** Of its present record. */
    static String offer(JobTree tree, ItemView view) {
        return tree.offer(new JobTree.ItemOffer(view.item(), view.version()).name());
    }

    /** @param answer covers at least {@link #reads} */
    public static ItemNodes of(JobTree tree, int item, Optional<ItemView> view, RegistryAnswer answer) {
        return new ItemNodes(
                view,
                answer.node(tree.item(item)),
                answer.node(tree.running(item)),
                answer.node(tree.disabled(item)),
                answer.node(tree.failoverItem(item)),
                view.flatMap(known -> answer.node(offer(tree, known))),
                firings(tree, answer));
    }

    private static OpenFirings firings(JobTree tree, RegistryAnswer answer) {
        try {
            return FiringsView.of(tree, answer).value();
        } catch (CorruptNodeException reportedByTheInstances) {
            return OpenFirings.NONE;
        }
    }
}
