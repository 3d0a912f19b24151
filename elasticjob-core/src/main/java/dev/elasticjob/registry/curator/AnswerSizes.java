package dev.elasticjob.registry.curator;

import dev.elasticjob.registry.RegistryCommit;
import dev.elasticjob.registry.RegistryRead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.GetChildrenResult;
import org.apache.zookeeper.OpResult.GetDataResult;

/**
 * Splits reads into requests by the size of their last answers, so that a request and its answer stay small. Only
 * larger sizes than usual are remembered. If a node has grown since, or was never read, one answer may be larger: the
 * client accepts it ({@link #MAX_ANSWER}). Thread-safe.
 */
final class AnswerSizes {
    /**
     * The maximum size of one answer. Above it, the client closes the connection, so it is far larger than any expected
     * answer. ZooKeeper's default is 1 MB.
     */
    static final int MAX_ANSWER = 128 * 1024 * 1024;

    /** The maximum size of one request, and of one answer as far as it can be estimated. */
    static final int MAX_BYTES = 512 * 1024;

    static final int USUAL_DATA = 384;
    static final int USUAL_CHILDREN = 128;

    /** The bytes besides a node's data: the kind of the part, its {@code Stat}, a length. */
    private static final int HEADER = 88;

    private static final int HEADER_OF_REQUEST = 14;
    private static final int LENGTH = 4;

    /** Enough for the large items of many jobs; beyond that, some answers are larger than estimated. */
    private static final int REMEMBERED = 100_000;

    private final int bytesOfRoot;
    private final Map<RegistryRead, Integer> large = new ConcurrentHashMap<>();

    /** @param bytesOfRoot the size of the root before each path in a request */
    AnswerSizes(int bytesOfRoot) {
        this.bytesOfRoot = bytesOfRoot;
    }

    /** The requests, in the order of the reads. */
    List<List<RegistryRead>> cut(List<RegistryRead> reads) {
        List<List<RegistryRead>> requests = new ArrayList<>();
        List<RegistryRead> request = new ArrayList<>();
        int asked = 0;
        int answered = 0;
        for (RegistryRead read : reads) {
            int asking = HEADER_OF_REQUEST + bytesOfRoot + RegistryCommit.bytes(read.path());
            int answer = foreseen(read);
            if (!request.isEmpty() && (asked + asking > MAX_BYTES || answered + answer > MAX_BYTES)) {
                requests.add(request);
                request = new ArrayList<>();
                asked = 0;
                answered = 0;
            }
            request.add(read);
            asked += asking;
            answered += answer;
        }
        if (!request.isEmpty()) {
            requests.add(request);
        }
        return requests;
    }

    private int foreseen(RegistryRead read) {
        Integer seen = large.get(read);
        return seen == null ? usual(read) : seen;
    }

    /** Remembers the size of the answer to a part. */
    void seen(RegistryRead read, OpResult result) {
        int bytes = bytes(result);
        if (bytes <= usual(read)) {
            large.remove(read);
        } else if (large.size() < REMEMBERED || large.containsKey(read)) {
            large.put(read, bytes);
        }
    }

    private static int usual(RegistryRead read) {
        return read instanceof RegistryRead.Children ? USUAL_CHILDREN : USUAL_DATA;
    }

    private static int bytes(OpResult result) {
        if (result instanceof GetDataResult found) {
            return HEADER + (found.getData() == null ? 0 : found.getData().length);
        }
        int bytes = HEADER_OF_REQUEST;
        if (result instanceof GetChildrenResult found) {
            for (String child : found.getChildren()) {
                bytes += LENGTH + RegistryCommit.bytes(child);
            }
        }
        return bytes;
    }
}
