package dev.elasticjob.console.api;

import dev.elasticjob.admin.JobReport.DrainedBy;
import dev.elasticjob.admin.ServerReport;
import dev.elasticjob.admin.ServerReport.InstanceOnServer;
import dev.elasticjob.admin.ServerReport.JobOnServer;
import dev.elasticjob.admin.ServerReport.Part;
import dev.elasticjob.admin.ServerReport.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the API says of servers. */
final class ServerBodies {
    private ServerBodies() {}

    /** @param everySeconds how often they are read at most */
    record Servers(List<Server> servers, long everySeconds) {
        static Servers of(List<ServerReport> reports, Duration pace) {
            return new Servers(reports.stream().map(Server::of).toList(), pace.toSeconds());
        }
    }

    /**
     * One server in numbers.
     *
     * @param jobs how many name it
     * @param deadJobs how many of them have no instance on it
     */
    record Server(String server, List<Instance> instances, int jobs, int disabledJobs, int deadJobs) {
        static Server of(ServerReport report) {
            return new Server(
                    report.server(),
                    report.instances().stream().map(Instance::of).toList(),
                    report.jobs().size(),
                    report.disabledJobs(),
                    report.deadJobs());
        }
    }

    /**
     * One instance in numbers.
     *
     * @param used the total weight of the items that it executes
     * @param capacity the largest one; null if there is no limit
     * @param drainedJobs how many of its jobs operators have drained it of
     * @param takenOutOf how many of its jobs give it no item, whatever the reason
     * @param unrecordedJobs how many of them may execute more than is counted
     */
    record Instance(
            String id,
            State state,
            int jobs,
            int items,
            int running,
            long used,
            @Nullable Integer capacity,
            int drainedJobs,
            int takenOutOf,
            int unrecordedJobs,
            Optional<DrainedBy> drainedBy,
            Optional<Instant> emptySince) {
        static Instance of(InstanceOnServer report) {
            List<Part> parts = report.parts();
            return new Instance(
                    report.id(),
                    report.state(),
                    parts.size(),
                    report.items(),
                    report.running(),
                    report.used(),
                    report.capacity().isPresent() ? report.capacity().getAsInt() : null,
                    (int) parts.stream()
                            .filter(part -> part.drainedBy().isPresent())
                            .count(),
                    (int) parts.stream().filter(Part::takenOut).count(),
                    (int) parts.stream().filter(part -> !part.recorded()).count(),
                    report.drainedBy(),
                    report.emptySince());
        }
    }

    /**
     * One server with its jobs.
     *
     * @param parts what its instances do in each job
     */
    record WholeServer(Server server, List<Parts> parts, List<JobOnServer> jobs, long everySeconds) {
        static WholeServer of(ServerReport report, Duration pace) {
            return new WholeServer(
                    Server.of(report),
                    report.instances().stream()
                            .map(instance -> new Parts(instance.id(), instance.parts()))
                            .toList(),
                    report.jobs(),
                    pace.toSeconds());
        }
    }

    record Parts(String instance, List<Part> parts) {}
}
