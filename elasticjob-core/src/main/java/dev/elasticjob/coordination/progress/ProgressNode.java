package dev.elasticjob.coordination.progress;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import dev.elasticjob.coordination.state.CorruptNodeException;
import dev.elasticjob.coordination.state.RequestedBy;
import dev.elasticjob.coordination.state.StateJson;
import dev.elasticjob.coordination.state.WrongValue;
import dev.elasticjob.registry.RegistryCommit;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How far the executions of one instance have come: the data of its node below {@code progress}.
 *
 * @param items those that have said something, by item
 */
record ProgressNode(SortedMap<Integer, Entry> items) {
    /** A write every few seconds should stay small, however many items an instance executes. */
    static final int MAX_BYTES = 64 * 1024;

    private static final String EXAMPLE =
            "{\"executions\":{\"0\":{\"token\":4711,\"done\":3,\"total\":10,\"text\":\"…\"}}}";

    ProgressNode {
        items = Collections.unmodifiableSortedMap(new TreeMap<>(items));
    }

    /** @param token of the execution */
    record Entry(long token, ItemProgress progress) {}

    // ------------------------------------------------------------------ its stored form

    /** If it would be too large, the texts are left out; if that isn't enough, the items with the highest numbers too. */
    String write() {
        String all = StateJson.text(stored(items, true));
        if (RegistryCommit.bytes(all) <= MAX_BYTES) {
            return all;
        }
        SortedMap<Integer, Entry> some = new TreeMap<>(items);
        String shorter = StateJson.text(stored(some, false));
        while (shorter.length() > MAX_BYTES) {
            long kept = (long) some.size() * MAX_BYTES / shorter.length();
            while (some.size() > kept) {
                some.remove(some.lastKey());
            }
            shorter = StateJson.text(stored(some, false));
        }
        return shorter;
    }

    private static Stored stored(SortedMap<Integer, Entry> items, boolean withTexts) {
        Map<Integer, StoredEntry> entries = new TreeMap<>();
        items.forEach((item, entry) -> entries.put(item, StoredEntry.of(entry, withTexts)));
        return new Stored(entries);
    }

    /** @throws CorruptNodeException if it was not written by an instance */
    static ProgressNode read(String path, byte[] data) {
        return StateJson.read(path, data, Stored.class, "progress such as " + EXAMPLE, Stored::value);
    }

    private record Stored(@Nullable Map<Integer, StoredEntry> executions) {
        ProgressNode value() {
            SortedMap<Integer, Entry> read = new TreeMap<>();
            if (executions == null) {
                throw new WrongValue("executions", "a JSON object", null);
            }
            executions.forEach((item, entry) -> read.put(item, entry.value("executions." + item)));
            return new ProgressNode(read);
        }
    }

    @JsonInclude(Include.NON_NULL)
    private record StoredEntry(
            long token,
            long done,
            @Nullable Long total,
            @Nullable String text) {
        static StoredEntry of(Entry entry, boolean withText) {
            ItemProgress progress = entry.progress();
            String text = RequestedBy.cut(progress.text(), ItemProgress.MAX_BYTES_OF_TEXT);
            return new StoredEntry(
                    entry.token(),
                    progress.done(),
                    progress.total() == 0 ? null : progress.total(),
                    text.isEmpty() || !withText ? null : text);
        }

        Entry value(String key) {
            long all = total == null ? 0 : total;
            return new Entry(
                    token,
                    new ItemProgress(count(key + ".done", done), count(key + ".total", all), text == null ? "" : text));
        }

        private static long count(String key, long value) {
            if (value < 0) {
                throw new WrongValue(key, "a whole number from 0 on", value);
            }
            return value;
        }
    }
}
