package dev.elasticjob.coordination.view;

import dev.elasticjob.coordination.state.StoredDefinition;
import dev.elasticjob.definition.UnreadableDefinitionException;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a job that others run after can be followed. Pure. */
public final class ParentJob {
    private ParentJob() {}

    /** The nodes that show it. */
    public static List<RegistryRead> reads(String parent) {
        JobTree tree = new JobTree(parent);
        List<RegistryRead> reads = new ArrayList<>(RegistryRead.allData(tree.flags()));
        reads.addAll(StoredDefinition.reads(tree));
        return reads;
    }

    /** Whether the job has been initialized. */
    public static boolean exists(String parent, RegistryAnswer answer) {
        return answer.node(new JobTree(parent).flags()).isPresent();
    }

    /** Why its firings can't be followed at present, and what changes that. */
    public enum Problem {
        NOT_REGISTERED(
                "it is not registered there",
                "Either no instance of this job leads yet, or the jobs would follow each other in a circle; then the"
                        + " leader has logged an ERROR"),
        ABSENT(
                "there is no such job in the registry",
                "It is followed as soon as one of its instances has joined; check the name and the namespace"),
        NOT_RECORDED("its \"monitorExecution\" is false, so nothing shows how its firings end", "Set it to true");

        private final String fact;
        private final String remedy;

        Problem(String fact, String remedy) {
            this.fact = fact;
            this.remedy = remedy;
        }

        public String text() {
            return fact + ". " + remedy;
        }
    }

    /**
     * Empty if they can be followed.
     *
     * @param answer covers {@link #reads}
     */
    public static Optional<Problem> problem(String parent, RegistryAnswer answer) {
        if (!exists(parent, answer)) {
            return Optional.of(Problem.ABSENT);
        }
        return isRecorded(parent, answer) ? Optional.empty() : Optional.of(Problem.NOT_RECORDED);
    }

    /** A definition that can't be read is reported by its own job. */
    private static boolean isRecorded(String parent, RegistryAnswer answer) {
        StoredDefinition stored = StoredDefinition.of(new JobTree(parent), answer);
        try {
            return !stored.isPresent() || stored.decode().definition().monitorExecution();
        } catch (UnreadableDefinitionException untilItIsCorrected) {
            return true;
        }
    }
}
