package dev.elasticjob.admin.app;

import dev.elasticjob.coordination.session.Stages;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.registry.JobTree;
import dev.elasticjob.registry.Registry;
import dev.elasticjob.registry.RegistryAnswer;
import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryNode;
import dev.elasticjob.registry.RegistryRead;
import dev.elasticjob.registry.RegistrySession;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The nodes of applications of Kubernetes: {@code docs/internals/protocol-apps.md}. Nothing that runs jobs reads them.
 * Thread-safe.
 */
public record AppNodes(Registry registry) {
    private static final int ATTEMPTS = 5;

    // ------------------------------------------------------------------ reading

    /** All of the namespace, by their ids. */
    public CompletionStage<List<AppReport>> all() {
        return ids().thenCompose(this::reports);
    }

    /** One of them; empty if there is none. */
    public CompletionStage<Optional<AppReport>> find(String id) {
        return ids().thenCompose(ids -> reports(ids.contains(id) ? List.of(id) : List.of()))
                .thenApply(found -> found.stream().findFirst());
    }

    /** What the node of an operator's suspension says; empty if there is none. */
    public CompletionStage<Optional<Suspension>> suspension(String id) {
        return registry.read(RegistryRead.allData(JobTree.appSuspended(id)))
                .thenApply(answer -> answer.node(JobTree.appSuspended(id)).map(Suspension::of));
    }

    private CompletionStage<List<String>> ids() {
        return registry.read(List.of(RegistryRead.children(JobTree.apps())))
                .thenApply(answer ->
                        answer.children(JobTree.apps()).stream().sorted().toList());
    }

    private CompletionStage<List<AppReport>> reports(List<String> ids) {
        List<RegistryRead> reads =
                ids.stream().flatMap(id -> reads(id).stream()).toList();
        return reads.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : registry.read(reads)
                        .thenApply(answer -> ids.stream()
                                .flatMap(id -> report(id, answer).stream())
                                .toList());
    }

    private static List<RegistryRead> reads(String id) {
        return RegistryRead.allData(JobTree.app(id), JobTree.appController(id), JobTree.appSuspended(id));
    }

    private static Optional<AppReport> report(String id, RegistryAnswer answer) {
        return answer.node(JobTree.app(id))
                .map(node -> new AppReport(
                        id,
                        published(id, node),
                        answer.node(JobTree.appController(id)).isPresent(),
                        node.modified(),
                        answer.node(JobTree.appSuspended(id)).map(Suspension::of)));
    }

    /** What isn't readable shows nothing but its name, until its controller writes it anew. */
    static PublishedApp published(String id, RegistryNode node) {
        return StateJson.read(node.data(), PublishedApp.class)
                .filter(app -> app.id().equals(id))
                .orElseGet(() -> {
                    int dot = id.indexOf('.');
                    return new PublishedApp(
                            id.substring(dot + 1), id.substring(0, Math.max(0, dot)), false, List.of(), List.of());
                });
    }

    // ------------------------------------------------------------------ the controller's side

    /**
     * Shows an application, and that somebody looks after it as long as this session lasts. Writes nothing if that stands
     * there already.
     *
     * @param uid of the resource
     * @return why it can't be shown; empty if it is
     */
    public CompletionStage<Optional<String>> publish(String uid, PublishedApp app) {
        String text = fitting(app);
        return changed(app.id(), there -> there.published(uid, text));
    }

    /**
     * Shows an application no more, as its resource is gone, and forgets its suspension.
     *
     * @return why that can't be; empty if it is done
     */
    public CompletionStage<Optional<String>> remove(String id) {
        return changed(id, AppCommits::removed);
    }

    /** Repeats it while others change the same. */
    private CompletionStage<Optional<String>> changed(
            String id, Function<AppCommits, Optional<RegistryCommit>> change) {
        return Stages.attempts(ATTEMPTS, () -> attempt(id, change))
                .thenApply(done -> done.orElseGet(() -> Optional.of(
                        "its nodes were changed by others, or have unknown ones below them, at each of %d attempts"
                                .formatted(ATTEMPTS))));
    }

    /** Empty if it was refused. */
    private CompletionStage<Optional<Optional<String>>> attempt(
            String id, Function<AppCommits, Optional<RegistryCommit>> change) {
        Optional<RegistrySession> session = registry.session();
        if (session.isEmpty()) {
            return CompletableFuture.failedFuture(new RegistryUnavailableException("The registry is not connected"));
        }
        List<RegistryRead> reads = Stream.concat(
                        RegistryRead.allData(JobTree.NAMESPACE, JobTree.apps()).stream(), reads(id).stream())
                .toList();
        return registry.read(reads).thenCompose(answer -> {
            if (answer.node(JobTree.NAMESPACE).isEmpty()) {
                return ended(Optional.of("its namespace isn't there yet; it is shown once an instance has come"));
            }
            Optional<RegistryCommit> commit = change.apply(new AppCommits(id, answer, session.get()));
            if (commit.isEmpty()) {
                return ended(Optional.of(
                        "the controller of another resource of this name, maybe of another cluster, shows it"));
            }
            return commit.get().isEmpty()
                    ? ended(Optional.empty())
                    : registry.commit(session.get(), commit.get())
                            .thenApply(outcome ->
                                    outcome.isCommitted() ? Optional.of(Optional.empty()) : Optional.empty());
        });
    }

    private static CompletionStage<Optional<Optional<String>>> ended(Optional<String> whyNot) {
        return CompletableFuture.completedFuture(Optional.of(whyNot));
    }

    private static String fitting(PublishedApp app) {
        PublishedApp shown = app;
        String text = StateJson.text(shown);
        while (RegistryCommit.bytes(text) > RegistryCommit.BYTES_OF_PART && shown.showsWorkers()) {
            shown = shown.shortened();
            text = StateJson.text(shown);
        }
        return text;
    }
}
