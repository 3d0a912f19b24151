package dev.elasticjob.admin;

import dev.elasticjob.coordination.view.JobSnapshot;
import dev.elasticjob.coordination.view.JobSnapshot.InstanceNode;
import dev.elasticjob.coordination.view.JobSnapshot.ServerNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One server in all jobs of the namespace. Immutable.
 *
 * @param server its address
 * @param instances the ids of the instances on it; those of one process have the same id in most jobs
 * @param jobs how many jobs name the server
 * @param disabledJobs how many of them are disabled on it
 * @param deadJobs how many of them have no instance on it: entries of the past, unless the server is only down
 */
public record ServerReport(String server, List<String> instances, int jobs, int disabledJobs, int deadJobs) {
    public ServerReport {
        instances = List.copyOf(instances);
    }

    /** @param jobs with their members */
    static List<ServerReport> of(List<JobSnapshot> jobs) {
        SortedMap<String, Count> servers = new TreeMap<>();
        for (JobSnapshot job : jobs) {
            List<InstanceNode> instances = job.instances();
            for (ServerNode server : job.servers()) {
                servers.computeIfAbsent(server.ip(), ip -> new Count()).add(server, instances);
            }
        }
        List<ServerReport> reports = new ArrayList<>();
        servers.forEach((ip, count) -> reports.add(
                new ServerReport(ip, List.copyOf(count.instances), count.jobs, count.disabled, count.dead)));
        return List.copyOf(reports);
    }

    private static final class Count {
        private final SortedSet<String> instances = new TreeSet<>();
        private int jobs;
        private int disabled;
        private int dead;

        void add(ServerNode server, List<InstanceNode> ofJob) {
            List<String> here = ofJob.stream()
                    .filter(instance -> instance.ip().equals(server.ip()))
                    .map(InstanceNode::id)
                    .toList();
            instances.addAll(here);
            jobs++;
            disabled += server.disabled() ? 1 : 0;
            dead += here.isEmpty() ? 1 : 0;
        }
    }
}
