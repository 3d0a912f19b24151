package dev.elasticjob.faults;

import dev.elasticjob.faults.Disturbance.Kind;
import dev.elasticjob.testing.ChildJvm;
import dev.elasticjob.testing.Heard;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Processes of one workload, what they have told, and what was done to them. For one thread. */
final class FaultCluster implements AutoCloseable {
    private static final List<String> SMALL = List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final String row;
    private final WorkloadSettings settings;
    private final Heard<Happening> told = new Heard<>();
    private final Heard<String> logged = new Heard<>();
    private final Map<String, ChildJvm> processes = new LinkedHashMap<>();
    private final List<Disturbance> disturbances = new ArrayList<>();
    private int started;

    FaultCluster(String row, WorkloadSettings settings) {
        this.row = row;
        this.settings = settings;
    }

    String row() {
        return row;
    }

    WorkloadSettings settings() {
        return settings;
    }

    /** Starts an instance; each process of it has a name of its own. */
    String start(String registry, String instance) {
        return start(settings.on(registry, instance));
    }

    /** The same with other settings than the others'. */
    String start(WorkloadSettings own) {
        started++;
        String name = own.instance() + "-" + started;
        ChildJvm process =
                ChildJvm.start(row + "-" + name, line -> heard(name, line), SMALL, Workload.class, own.arguments());
        processes.put(name, process);
        return name;
    }

    private void heard(String name, String line) {
        Happening.parse(name, line).ifPresentOrElse(told::add, () -> logged.add(name + ": " + line));
    }

    /** Starts a process that takes no part: its heart beats, whatever happens to the others. */
    String startClock() {
        ChildJvm process = ChildJvm.start(
                row + "-clock",
                line -> Happening.parse("clock", line).ifPresent(told::add),
                SMALL,
                HeartBeat.class,
                List.of());
        processes.put("clock", process);
        return "clock";
    }

    // ------------------------------------------------------------------ what is done to it

    void kill(String name) {
        Instant before = Instant.now();
        process(name).kill();
        disturbances.add(new Disturbance(name, Kind.KILLED, before, Instant.MAX));
    }

    void pause(String name) {
        disturbances.add(new Disturbance(name, Kind.PAUSED, Instant.now(), Instant.MAX));
        process(name).pause();
    }

    void resume(String name) {
        process(name).resume();
        over(name, Kind.PAUSED);
    }

    /** Notes that the process is cut off; the cutting is the network's. */
    void isCutOff(String name) {
        disturbances.add(new Disturbance(name, Kind.CUT_OFF, Instant.now(), Instant.MAX));
    }

    void isConnected(String name) {
        over(name, Kind.CUT_OFF);
    }

    /** SIGTERM, without waiting for the end. */
    void askToEnd(String name) {
        process(name).askToEnd();
    }

    void terminate(String name) {
        process(name).terminate();
    }

    private void over(String name, Kind kind) {
        disturbances.replaceAll(one ->
                one.process().equals(name) && one.kind() == kind && one.until().equals(Instant.MAX)
                        ? new Disturbance(name, kind, one.from(), Instant.now())
                        : one);
    }

    ChildJvm process(String name) {
        return Optional.ofNullable(processes.get(name)).orElseThrow();
    }

    // ------------------------------------------------------------------ what it tells

    History history() {
        return new History(told.all(), disturbances);
    }

    /** Waits until one thing told from now on is wanted. For what may be told already, {@link #await} is there. */
    void awaitNext(String what, Predicate<Happening> wanted) {
        int known = told.all().size();
        told.await(what, all -> all.subList(known, all.size()).stream().anyMatch(wanted));
    }

    /** Waits until one thing told since the newest disturbance is wanted. */
    void awaitLater(String what, Predicate<Happening> wanted) {
        Instant since = disturbances.get(disturbances.size() - 1).from();
        told.await(
                what,
                all -> all.stream().anyMatch(one -> wanted.test(one) && one.at().isAfter(since)));
    }

    /** Waits until the log of each of these, or of any process where none is named, has an error or a warning of it. */
    void awaitComplaint(String text, String... names) {
        logged.await("complaints about " + text + " of " + List.of(names), all -> {
            List<String> complaints = all.stream()
                    .filter(line -> line.contains(" ERROR ") || line.contains(" WARN "))
                    .filter(line -> line.contains(text))
                    .toList();
            return names.length == 0
                    ? !complaints.isEmpty()
                    : Stream.of(names).allMatch(name -> complaints.stream().anyMatch(line -> line.startsWith(name)));
        });
    }

    void await(String what, Predicate<List<Happening>> enough) {
        told.await(what, enough);
    }

    /** Lets so many seconds pass, by the heartbeats of a process that is well. */
    void awaitBeats(String name, int seconds) {
        int known = told.all().size();
        told.await(
                seconds + " heartbeats of " + name,
                all -> all.subList(known, all.size()).stream()
                                .filter(one -> one.is(Happening.Kind.BEAT)
                                        && one.process().equals(name))
                                .count()
                        >= seconds);
    }

    /** Waits until all items of the job are owned by these, and all of them own some. */
    void awaitShared(List<String> names) {
        await("all items shared by " + names, all -> {
            Map<String, Integer> owned = new LinkedHashMap<>();
            all.stream()
                    .filter(one -> one.is(Happening.Kind.OWNS) && one.isOf(settings.job()))
                    .forEach(one -> owned.put(one.process(), one.items().size()));
            return names.stream().allMatch(name -> owned.getOrDefault(name, 0) > 0)
                    && names.stream().mapToInt(owned::get).sum() == settings.items();
        });
    }

    /** Waits until each of so many firings that come from now on has ended whole for every item. */
    Instant awaitWholeFirings(int count) {
        return awaitWholeFirings(settings.job(), count);
    }

    Instant awaitWholeFirings(String job, int count) {
        Instant since = Instant.now();
        await(
                count + " whole firings of " + job + " since " + since,
                all -> wholeFiringsSince(job, all, since).size() >= count);
        return wholeFiringsSince(job, told.all(), since).get(count - 1);
    }

    private List<Instant> wholeFiringsSince(String job, List<Happening> all, Instant since) {
        Map<Instant, Long> ends = all.stream()
                .filter(one -> one.isOf(job) && one.is(Happening.Kind.END) && one.whole())
                .filter(one -> one.firing().isAfter(since))
                .collect(Collectors.groupingBy(Happening::firing, TreeMap::new, Collectors.counting()));
        return ends.entrySet().stream()
                .filter(firing -> firing.getValue() >= settings.items())
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public void close() {
        processes.values().forEach(ChildJvm::close);
    }
}
