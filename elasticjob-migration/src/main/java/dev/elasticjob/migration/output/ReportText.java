package dev.elasticjob.migration.output;

import dev.elasticjob.migration.conversion.Finding;
import dev.elasticjob.migration.conversion.Finding.Kind;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The list of everything that was not carried over as it is, job by job. */
public final class ReportText {
    private ReportText() {}

    /** @param converted how many jobs there are in what was produced */
    public static String text(int converted, List<Finding> findings) {
        long leftOut = findings.stream()
                .filter(finding -> finding.kind() == Kind.LEFT_OUT)
                .map(Finding::job)
                .distinct()
                .count();
        StringBuilder text = new StringBuilder("Jobs converted: %d. Jobs left out: %d. Settings not converted: %d.\n"
                .formatted(converted, leftOut, count(findings, Kind.NOT_CONVERTED)));
        if (findings.isEmpty()) {
            return text.append("Everything was carried over as it is.\n").toString();
        }
        Map<String, List<Finding>> groups = findings.stream()
                .collect(Collectors.groupingBy(
                        finding -> finding.job().map("Job \"%s\""::formatted).orElse("Registry and files"),
                        LinkedHashMap::new,
                        Collectors.toList()));
        groups.forEach(
                (title, group) -> text.append('\n').append(title).append('\n').append(lines(group)));
        return text.toString();
    }

    private static long count(List<Finding> findings, Kind kind) {
        return findings.stream().filter(finding -> finding.kind() == kind).count();
    }

    private static String lines(List<Finding> findings) {
        return findings.stream()
                .sorted(Comparator.comparing(Finding::kind))
                .map(finding -> "  %s: %s(%s): %s\n"
                        .formatted(
                                finding.kind(),
                                finding.setting().map(setting -> setting + " ").orElse(""),
                                finding.place(),
                                finding.reason()))
                .collect(Collectors.joining());
    }
}
