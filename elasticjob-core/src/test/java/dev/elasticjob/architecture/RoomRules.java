package dev.elasticjob.architecture;

import com.sun.source.tree.ClassTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;

/**
 * 18: what a package has to be, so that a stranger guesses what is in it and what may be touched. It has a door, which its
 * description names; at least four files; and at least 40 % of its types are package-private. Values and ports, which are
 * there to be seen, are named here and not counted.
 */
final class RoomRules {
    private static final int FILES = 4;
    private static final double HIDDEN = 0.4;
    private static final Pattern DOORS = Pattern.compile("\\bThe doors? (?:is|are) ([^.;]|\\.(?=\\w))*");
    private static final Pattern LINK = Pattern.compile("\\{@link ([\\w.]+)\\.(\\w+)}");

    /** What is handed on, with its stored form, and what others implement. */
    private static final Map<String, List<String>> VALUES_AND_PORTS = Map.ofEntries(
            Map.entry(
                    "coordination.state",
                    List.of(
                            "Assignment",
                            "Cancellation",
                            "CorruptNodeException",
                            "FiringPlan",
                            "FormerSchedule",
                            "BusyTime",
                            "DueMoments",
                            "ItemEnds",
                            "ItemRanges",
                            "ItemRecord",
                            "ItemRecordCodec",
                            "ItemState",
                            "LeaveMark",
                            "ManualRun",
                            "NodeCodec",
                            "DelayedFiring",
                            "OpenFiring",
                            "OpenFirings",
                            "RepeatedRun",
                            "RequestedBy",
                            "ServerState",
                            "Software",
                            "StateJson",
                            "StoredDefinition",
                            "WaitingRuns",
                            "WrongValue")),
            Map.entry(
                    "coordination.session",
                    List.of(
                            "Batch",
                            "Capacity",
                            "DataLoss",
                            "DueClock",
                            "Fencing",
                            "GuardedRegistry",
                            "Incarnation",
                            "JobScope",
                            "Next")),
            Map.entry(
                    "coordination.view",
                    List.of(
                            "CallLimits",
                            "FiringEnds",
                            "FiringsView",
                            "InstanceLoads",
                            "ItemView",
                            "JobSnapshot",
                            "JobView",
                            "LeaderDuty",
                            "LeaderTask",
                            "LeaderTasks",
                            "Leaver",
                            "MemberNames",
                            "Members",
                            "OperatorDrain",
                            "Ownership",
                            "Pause",
                            "PauseSwitch",
                            "Pauses",
                            "PlanView",
                            "ReshardingRequest")),
            Map.entry("coordination.membership", List.of("InstanceIdentity", "KnownJob", "MemberNodes")),
            Map.entry("coordination.run", List.of("Backfill", "FollowUp", "FollowerState", "ParentFirings")),
            Map.entry("coordination.item", List.of("ClaimedItem", "Completion", "ExecutionResult", "ItemChange")),
            Map.entry("coordination.firing", List.of("HookClaim")),
            Map.entry("coordination.watchdog", List.of("ExecutionProgress", "OwnProgress")),
            Map.entry("coordination.progress", List.of("ItemProgress")),
            Map.entry(
                    "coordination",
                    List.of("CoordinationListener", "FailoverLatch", "LeaderElection", "ReshardingFlags")),
            Map.entry(
                    "admin",
                    List.of(
                            "ItemSummary",
                            "JobAdmin",
                            "JobCondition",
                            "JobDemand",
                            "JobInspector",
                            "JobPage",
                            "JobReport",
                            "JobStatus",
                            "ServerReport",
                            "Swept")),
            Map.entry("admin.app", List.of("AppReport", "PublishedApp", "Suspension")),
            Map.entry(
                    "admin.command",
                    List.of(
                            "Actor",
                            "BackfillAnswer",
                            "BackfillRequest",
                            "CancelAnswer",
                            "CancelRequest",
                            "DefinitionChangedException",
                            "DisableAnswer",
                            "DrainAnswer",
                            "PauseAnswer",
                            "PausedBy",
                            "RunOutcome",
                            "RunRequest",
                            "TriggerAnswer",
                            "UnknownTargetException",
                            "VersionedDefinition")),
            Map.entry(
                    "admin.table",
                    List.of(
                            "Argument",
                            "ArgumentSource",
                            "ChangePreview",
                            "DryRun",
                            "DryRunReads",
                            "Effect",
                            "InvalidArgumentsException",
                            "OperatorCommand",
                            "Preview")),
            Map.entry(
                    "admin.explain",
                    List.of("Explanation", "ItemNodes", "OpenWork", "ReshardPreview", "Standstill", "WhatIf")));

    private final String basePackage;
    private final Map<String, List<SourceFile>> rooms = new TreeMap<>();
    private final Map<String, List<String>> valuesAndPorts;

    RoomRules(String basePackage, List<SourceFile> files) {
        this(basePackage, files, VALUES_AND_PORTS);
    }

    RoomRules(String basePackage, List<SourceFile> files, Map<String, List<String>> valuesAndPorts) {
        this.basePackage = basePackage;
        this.valuesAndPorts = valuesAndPorts;
        files.stream()
                .filter(file -> file.packageName().matches("\\Q" + basePackage + ".\\E(coordination|admin)(\\..*)?"))
                .forEach(file -> rooms.computeIfAbsent(room(file.packageName()), name -> new ArrayList<>())
                        .add(file));
    }

    private String room(String packageName) {
        return packageName.substring(basePackage.length() + 1);
    }

    List<String> withoutDoor() {
        return rooms.keySet().stream()
                .filter(room -> {
                    Set<String> doors = doors(room);
                    return doors.isEmpty() || !publicTypes(room).containsAll(doors);
                })
                .map(room -> "%s: its package-info names no public type of it after \"The door is\"".formatted(room))
                .toList();
    }

    List<String> tooSmall() {
        return rooms.keySet().stream()
                .filter(room -> files(room).size() < FILES)
                .map(room -> "%s has %d files, fewer than %d: it is a part of another one"
                        .formatted(room, files(room).size(), FILES))
                .toList();
    }

    List<String> tooOpen() {
        return rooms.keySet().stream()
                .filter(room -> share(room) < HIDDEN)
                .map(room -> "%s: %.0f %% of its types are package-private, fewer than %.0f %%; public are %s"
                        .formatted(room, 100 * share(room), 100 * HIDDEN, counted(publicTypes(room), room)))
                .toList();
    }

    /** Names that stand for nothing any more. */
    List<String> namesOfNothing() {
        return valuesAndPorts.keySet().stream()
                .flatMap(room -> valuesAndPortsOf(room).stream()
                        .filter(name -> !publicTypes(room).contains(name))
                        .map(name -> "%s has no public type %s".formatted(room, name)))
                .sorted()
                .toList();
    }

    private double share(String room) {
        int hidden = types(room).size() - publicTypes(room).size();
        int all = hidden + counted(publicTypes(room), room).size();
        return all == 0 ? 1 : (double) hidden / all;
    }

    private Set<String> counted(Set<String> types, String room) {
        Set<String> counted = new TreeSet<>(types);
        counted.removeAll(valuesAndPortsOf(room));
        return counted;
    }

    private List<String> valuesAndPortsOf(String room) {
        return valuesAndPorts.getOrDefault(room, List.of());
    }

    private List<SourceFile> files(String room) {
        return rooms.getOrDefault(room, List.of()).stream()
                .filter(file -> !file.name().equals("package-info"))
                .toList();
    }

    private List<ClassTree> types(String room) {
        return files(room).stream().flatMap(file -> file.types().stream()).toList();
    }

    private Set<String> publicTypes(String room) {
        return types(room).stream()
                .filter(type -> type.getModifiers().getFlags().contains(Modifier.PUBLIC))
                .map(type -> type.getSimpleName().toString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> doors(String room) {
        return rooms.getOrDefault(room, List.of()).stream()
                .filter(file -> file.name().equals("package-info"))
                .map(file -> file.text().replaceAll("\\s+\\*?\\s*", " "))
                .flatMap(text -> DOORS.matcher(text).results())
                .map(MatchResult::group)
                .flatMap(doors -> LINK.matcher(doors).results())
                .map(link -> link.group(1).equals(basePackage + "." + room) ? link.group(2) : link.group())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
