package dev.elasticjob.migration.conversion;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Item parameters as Elastic-Job reads them: each pair must have exactly two parts around equals signs, empty ones at the
 * end do not count, and the last pair of an item applies.
 */
final class LegacyItemParameters {
    private LegacyItemParameters() {}

    /** Empty if Elastic-Job refuses the text. */
    static Optional<Map<Integer, String>> parse(String text) {
        Map<Integer, String> byItem = new TreeMap<>();
        if (text.isEmpty()) {
            return Optional.of(byItem);
        }
        for (String pair : text.split(",")) {
            String[] parts = pair.trim().split("=");
            if (parts.length != 2) {
                return Optional.empty();
            }
            try {
                byItem.put(Integer.parseInt(parts[0].trim()), parts[1].trim());
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }
        return Optional.of(byItem);
    }
}
