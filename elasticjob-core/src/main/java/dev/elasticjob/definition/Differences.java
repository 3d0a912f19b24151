package dev.elasticjob.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** In what two definitions differ, one line for each setting, for a log. Not safe for use by several threads. */
final class Differences {
    private final List<String> lines = new ArrayList<>();

    List<String> lines() {
        return List.copyOf(lines);
    }

    void add(String setting, Object registry, Object here) {
        if (!registry.equals(here)) {
            addLine(setting, registry, here);
        }
    }

    /** Setting by setting, without what may be a secret. */
    void addHttp(Optional<HttpRequestSettings> registry, Optional<HttpRequestSettings> here) {
        if (registry.isEmpty() || here.isEmpty()) {
            add("http", registry, here);
            return;
        }
        var shownHere = here.get().shown();
        registry.get().shown().forEach((name, there) -> {
            var ours = Objects.requireNonNull(shownHere.get(name));
            if (!there.value().equals(ours.value())) {
                addLine("http." + name, there.text(), ours.text());
            }
        });
    }

    private void addLine(String setting, Object registry, Object here) {
        lines.add("%s: registry has \"%s\", here is \"%s\"".formatted(setting, registry, here));
    }
}
