package dev.elasticjob.coordination;

import dev.elasticjob.coordination.state.Assignment;
import dev.elasticjob.coordination.state.ItemRecord;
import dev.elasticjob.coordination.state.ItemState;
import dev.elasticjob.coordination.state.Software;
import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.coordination.view.ItemView;
import dev.elasticjob.coordination.view.Members;
import dev.elasticjob.coordination.view.Ownership;
import dev.elasticjob.definition.JobDefinition;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistrySession;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/** Values that the tests of this package begin with: a job that fires every minute, owned by one instance. */
public final class Samples {
    public static final JobTree TREE = new JobTree("orders");
    public static final RegistrySession SESSION = new RegistrySession(7, Duration.ofSeconds(20));
    public static final String US = "10.0.0.1@-@1";
    public static final String THEM = "10.0.0.2@-@1";
    public static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private Samples() {}

    public static JobDefinition.Builder definition() {
        return JobDefinition.builder("orders")
                .cron("0 * * * * ?")
                .timeZone(ZoneOffset.UTC)
                .shardingTotalCount(3);
    }

    /** What we own of a job whose firings count from an hour before noon on. */
    public static Ownership ownership(JobDefinition definition) {
        return ownership(definition, NOON.minus(Duration.ofHours(1)));
    }

    public static Ownership ownership(JobDefinition definition, Instant since) {
        Assignment assignment = assignment(definition, since);
        return new Ownership(
                SESSION,
                US,
                5,
                assignment,
                definition,
                new StoredDefinition.NodeVersion(new JobTree("orders").config(), 2),
                new TreeSet<>(assignment.owners().keySet()),
                true,
                OptionalLong.empty());
    }

    public static Assignment assignment(JobDefinition definition, Instant since) {
        return new Assignment(
                definition.schedule(),
                since,
                List.of(),
                null,
                definition.monitorExecution(),
                null,
                "",
                owners(definition.shardingTotalCount(), US));
    }

    public static NavigableMap<Integer, String> owners(int total, String owner) {
        NavigableMap<Integer, String> owners = new TreeMap<>();
        for (int item = 0; item < total; item++) {
            owners.put(item, owner);
        }
        return owners;
    }

    public static Members.Member member(String id, String ip, long czxid) {
        return new Members.Member(id, ip, czxid, new Members.Origin(czxid, Software.OURS));
    }

    public static ItemView item(int number, ItemRecord current, String... children) {
        return view(number, current, false, children);
    }

    public static ItemView waiting(int number, ItemRecord current, String... children) {
        return view(number, current, true, children);
    }

    private static ItemView view(int number, ItemRecord current, boolean waitsForFailover, String... children) {
        return new ItemView(
                number,
                3,
                NOON,
                current,
                JobTree.itemChildren(List.of(children)),
                waitsForFailover,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The same as the registry would show it whose record was written then. */
    public static ItemView recorded(Instant then, ItemView item) {
        return new ItemView(
                item.item(),
                item.version(),
                then,
                item.current(),
                item.children(),
                item.waitsForFailover(),
                item.waiting(),
                item.checkpoint(),
                item.problem());
    }

    public static ItemView unreadable(int number) {
        return new ItemView(
                number,
                3,
                NOON,
                ItemRecord.NEW,
                JobTree.itemChildren(List.of()),
                false,
                Optional.empty(),
                Optional.empty(),
                Optional.of("it can't be read"));
    }

    public static ItemRecord running(Instant firing) {
        return ItemRecord.NEW.claimed(firing, THEM, firing);
    }

    /** Ran for so long, by the clock of whoever ran it. */
    public static ItemRecord completed(Instant firing, Duration took) {
        return running(firing).ended(ItemState.COMPLETED, firing, firing.plus(took), null);
    }

    public static ItemRecord orphaned(Instant firing) {
        return running(firing).orphaned(firing.plusSeconds(5));
    }

    /** Instances without labels, as strategies get them. */
    public static NavigableMap<String, Members.Shown> unlabelled(String... instances) {
        NavigableMap<String, Members.Shown> unlabelled = new TreeMap<>(Comparator.reverseOrder());
        List.of(instances).forEach(id -> unlabelled.put(id, Members.Shown.NOTHING));
        return unlabelled;
    }
}
