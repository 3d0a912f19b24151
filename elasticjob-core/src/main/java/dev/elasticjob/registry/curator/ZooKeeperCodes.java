package dev.elasticjob.registry.curator;

import dev.elasticjob.job.Failures;
import dev.elasticjob.registry.CommitOutcome.Reason;
import dev.elasticjob.registry.RegistryAccessDeniedException;
import dev.elasticjob.registry.RegistryUnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** Maps ZooKeeper's result codes to an expected refusal, denied access, an error of the caller, or unavailability. */
final class ZooKeeperCodes {
    private ZooKeeperCodes() {}

    /** Unknown codes of other versions read as a system error. */
    static Code of(int number) {
        Code code = Code.get(number);
        return code == null ? Code.SYSTEMERROR : code;
    }

    /** The reason of an expected refusal; empty for other codes. */
    static Optional<Reason> refusal(Code code) {
        return switch (code) {
            case NONODE -> Optional.of(Reason.ABSENT);
            case NODEEXISTS -> Optional.of(Reason.EXISTS);
            case BADVERSION -> Optional.of(Reason.WRONG_VERSION);
            case NOTEMPTY -> Optional.of(Reason.HAS_CHILDREN);
            default -> Optional.empty();
        };
    }

    /**
     * The failure of a read, which changes nothing.
     *
     * @param path the full path, for the message
     */
    static RuntimeException failedRead(Code code, String path) {
        return failure(code, path, false);
    }

    /**
     * The failure of a transaction: unless a server refused it, it may have been committed.
     *
     * @param path the full path, for the message
     */
    static RuntimeException failedCommit(Code code, String path) {
        return failure(code, path, true);
    }

    /** The failure of a request if its call or answer met a failure of the client, even a lack of memory. */
    static RuntimeException failed(Throwable cause) {
        return cause instanceof RuntimeException known
                ? known
                : new RegistryUnavailableException(
                        "The ZooKeeper client failed with \"%s\", so the outcome of the request is unknown; try again"
                                .formatted(Failures.text(cause)),
                        true,
                        Failures.printable(cause));
    }

    /**
     * The failure of a read of nodes to which access is denied.
     *
     * @param paths the full paths, at least one, the first one that was asked for at first
     */
    static RuntimeException deniedRead(List<String> paths) {
        return denied(Code.NOAUTH, paths);
    }

    private static RuntimeException denied(Code code, List<String> paths) {
        String first = paths.get(0);
        return new RegistryAccessDeniedException(
                first,
                Set.copyOf(paths),
                ("Expected access to the node \"%s\", but the registry denied it (%s): the node was created"
                                + " with another digest. Set \"elasticjob.registry.digest\" to that one, or change"
                                + " the node's permissions.")
                        .formatted(first, code),
                KeeperException.create(code, first));
    }

    /** @param answer OK if the client could not read the answer: it then closes the connection */
    private static RuntimeException failure(Code answer, String path, boolean outcomeUnknown) {
        Code code = answer == Code.OK ? Code.CONNECTIONLOSS : answer;
        KeeperException cause = KeeperException.create(code, path);
        return switch (code) {
            case NOAUTH, INVALIDACL -> denied(code, List.of(path));
            case NOCHILDRENFOREPHEMERALS ->
                new IllegalArgumentException(
                        "\"%s\" can't be created below an ephemeral node: create it below a persistent one"
                                .formatted(path),
                        cause);
            case BADARGUMENTS, UNIMPLEMENTED, MARSHALLINGERROR ->
                new IllegalArgumentException(
                        ("The registry can't carry out the request for \"%s\" (%s): expected ZooKeeper 3.6 or newer"
                                        + " and a valid request")
                                .formatted(path, code),
                        cause);
            default ->
                new RegistryUnavailableException(
                        "The registry did not answer for \"%s\" (%s); try again when the connection is back"
                                .formatted(path, code),
                        outcomeUnknown,
                        cause);
        };
    }
}
