package dev.elasticjob.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticjob.registry.CommitOutcome;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.testing.ChangedRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * {@code docs/internals/transcripts.md} is what instances really say to the registry, and it to them. After a change of the
 * protocol, {@code -Dtranscripts.write} writes the page anew.
 */
@ExtendWith(Quiet.class)
class TranscriptTest {
    private static final int WIDTH = 100;
    private static final String INDENT = "\n                     ";
    private static final Path PAGE = Path.of("..", "docs", "internals", "transcripts.md");

    @Test
    void thePageIsWhatHappens() throws IOException {
        String page = "# Transcripts\n\n"
                + "What two instances, `a` and `b`, say to the registry, for a job with two items. The simulation writes this page,"
                + " and a test compares it: `mvn test -pl elasticjob-core -Dtest=TranscriptTest -Dtranscripts.write` after"
                + " a change. The rules behind it are those of [the protocol](protocol.md). `/*` are the names of children; `at 3` is the version that a node must have; times"
                + " are seconds since the section began.\n"
                + joiningRunAndFiring()
                + failover();

        if (System.getProperty("transcripts.write") != null) {
            Files.writeString(PAGE, page);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(page);
    }

    private static String joiningRunAndFiring() {
        DirectedWorld world = new DirectedWorld(2, false);
        Listening listening = new Listening(world);
        world.start("a", Flaw.NONE, listening.to("a"));
        String first = listening.section(
                "The first instance joins", "It creates the job's nodes, leads, and divides the items.");
        world.start("b", Flaw.NONE, listening.to("b"));
        String second = listening.section(
                "Another one joins",
                "The leader moves an item; each instance reads the records of the items that it has gained.");
        world.ask(listening.to("tool"), "r1");
        world.pass(Duration.ofSeconds(2));
        String run = listening.section(
                "A run on request", "Asked for by an operator's tool; each owner claims its own item.");
        world.passTheFiring();
        String firing = listening.section("A firing", "Each owner reads, claims, runs and completes its own item.");
        return first + second + run + firing;
    }

    private static String failover() {
        DirectedWorld world = new DirectedWorld(2, false);
        Listening listening = new Listening(world);
        world.start("a", Flaw.NONE, listening.to("a"));
        world.start("b", Flaw.NONE, listening.to("b"));
        listening.section("", "");
        world.during("item 0", () -> {
            world.kill("b");
            listening.note("b", "dies while its item runs");
            world.pass(Duration.ofSeconds(25));
        });
        world.passTheFiring();
        return listening.section(
                "A failover",
                "`b` dies in the midst of its item. After the session timeout of 20 s, its lock is gone: `a`, which leads, records"
                        + " the orphan, takes it, and makes a plan without `b`.");
    }

    /** What was said since the last section. */
    private static final class Listening {
        private final DirectedWorld world;
        private final List<String> lines = new ArrayList<>();
        private Instant began;

        Listening(DirectedWorld world) {
            this.world = world;
            this.began = world.now();
        }

        UnaryOperator<Registry> to(String who) {
            return registry -> new ChangedRegistry(registry) {
                @Override
                public CompletionStage<RegistryAnswer> read(List<RegistryRead> reads) {
                    note(who, "reads   " + wrapped(reads));
                    return super.read(reads);
                }

                @Override
                public CompletionStage<CommitOutcome> commit(RegistrySession session, RegistryCommit commit) {
                    note(who, "commits " + text(commit));
                    return super.commit(session, commit).thenApply(outcome -> {
                        note(who, "        → " + text(outcome));
                        return outcome;
                    });
                }
            };
        }

        void note(String who, String what) {
            double seconds = Duration.between(began, world.now()).toMillis() / 1_000.0;
            lines.add("%7.3f %-4s %s".formatted(seconds, who, what));
        }

        private static String wrapped(List<RegistryRead> reads) {
            StringBuilder text = new StringBuilder();
            int line = 0;
            for (RegistryRead read : reads) {
                String path = text(read);
                boolean full = line > 0 && line + path.length() > WIDTH;
                text.append(line == 0 ? "" : full ? "," + INDENT : ", ").append(path);
                line = full ? path.length() : line + path.length();
            }
            return text.toString();
        }

        private static String text(RegistryCommit commit) {
            return Stream.of(Trace.describe(commit).split("; "))
                    .map(operation -> operation.replace(" at -1", "").strip())
                    .collect(Collectors.joining(INDENT));
        }

        private static String text(RegistryRead read) {
            return read.path() + (read.equals(RegistryRead.children(read.path())) ? "/*" : "");
        }

        private static String text(CommitOutcome outcome) {
            return outcome instanceof CommitOutcome.Refused refused
                    ? "refused: %s is %s".formatted(refused.path(), refused.reason())
                    : "committed";
        }

        String section(String title, String text) {
            String section = "\n## %s\n%s\n\n```\n%s\n```\n".formatted(title, text, String.join("\n", lines));
            lines.clear();
            began = world.now();
            return section;
        }
    }
}
