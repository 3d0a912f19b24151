package dev.elasticjob.compatibility.operator;

import com.dangdang.ddframe.job.lite.lifecycle.api.JobAPIFactory;
import com.dangdang.ddframe.job.lite.lifecycle.api.JobOperateAPI;
import com.dangdang.ddframe.job.lite.lifecycle.api.JobSettingsAPI;
import com.dangdang.ddframe.job.lite.lifecycle.api.JobStatisticsAPI;
import com.dangdang.ddframe.job.lite.lifecycle.api.ServerStatisticsAPI;
import com.dangdang.ddframe.job.lite.lifecycle.api.ShardingOperateAPI;
import com.dangdang.ddframe.job.lite.lifecycle.api.ShardingStatisticsAPI;
import com.dangdang.ddframe.job.lite.lifecycle.domain.JobSettings;
import com.google.common.base.Optional;
import java.util.ArrayList;
import java.util.List;

/** The six parts of the operating API, each command to the one that carries it out. */
final class Tools {
    private static final List<String> DONE = List.of();

    private final JobStatisticsAPI jobs;
    private final JobSettingsAPI settings;
    private final JobOperateAPI operations;
    private final ShardingStatisticsAPI sharding;
    private final ShardingOperateAPI items;
    private final ServerStatisticsAPI servers;

    Tools(String connectString, String namespace, Optional<String> digest) {
        this.jobs = JobAPIFactory.createJobStatisticsAPI(connectString, namespace, digest);
        this.settings = JobAPIFactory.createJobSettingsAPI(connectString, namespace, digest);
        this.operations = JobAPIFactory.createJobOperateAPI(connectString, namespace, digest);
        this.sharding = JobAPIFactory.createShardingStatisticsAPI(connectString, namespace, digest);
        this.items = JobAPIFactory.createShardingOperateAPI(connectString, namespace, digest);
        this.servers = JobAPIFactory.createServerStatisticsAPI(connectString, namespace, digest);
    }

    List<String> carryOut(List<String> command) {
        Optional<String> job = Optional.fromNullable(command.size() > 1 ? command.get(1) : null);
        Optional<String> object = Optional.fromNullable(command.size() > 2 ? command.get(2) : null);
        return switch (command.get(0)) {
            case "jobs" -> jobs();
            case "servers" -> servers();
            case "settings" -> settings(job.get());
            case "update" -> update(job.get(), object.get(), command.get(3));
            case "sharding" -> sharding(job.get());
            case "trigger" -> done(() -> operations.trigger(job, object));
            case "disable job", "disable server" -> done(() -> operations.disable(job, object));
            case "enable job", "enable server" -> done(() -> operations.enable(job, object));
            case "shut down" -> done(() -> operations.shutdown(job, object));
            case "disable item" -> done(() -> items.disable(job.get(), object.get()));
            case "enable item" -> done(() -> items.enable(job.get(), object.get()));
            case "remove job" -> done(() -> settings.removeJobSettings(job.get()));
            default -> throw new IllegalArgumentException("Nobody knows the command " + command);
        };
    }

    private static List<String> done(Runnable operation) {
        operation.run();
        return DONE;
    }

    private List<String> jobs() {
        List<String> lines = new ArrayList<>();
        jobs.getAllJobsBriefInfo()
                .forEach(job -> lines.add(line(
                        job.getJobName(),
                        job.getStatus(),
                        job.getCron(),
                        job.getShardingTotalCount(),
                        job.getInstanceCount())));
        return lines;
    }

    private List<String> servers() {
        List<String> lines = new ArrayList<>();
        servers.getAllServersBriefInfo()
                .forEach(server -> lines.add(line(
                        server.getServerIp(),
                        server.getInstancesNum(),
                        server.getJobsNum(),
                        server.getDisabledJobsNum())));
        return lines;
    }

    private List<String> sharding(String job) {
        List<String> lines = new ArrayList<>();
        sharding.getShardingInfo(job)
                .forEach(item ->
                        lines.add(line(item.getItem(), item.getServerIp(), item.getInstanceId(), item.getStatus())));
        return lines;
    }

    private List<String> settings(String job) {
        JobSettings now = settings.getJobSettings(job);
        return List.of(
                line("type", now.getJobType()),
                line("class", now.getJobClass()),
                line("cron", now.getCron()),
                line("count", now.getShardingTotalCount()),
                line("item parameters", now.getShardingItemParameters()),
                line("parameter", now.getJobParameter()),
                line("monitored", now.isMonitorExecution()),
                line("misfires", now.isMisfire()),
                line("fails over", now.isFailover()),
                line("streaming", now.isStreamingProcess()),
                line("strategy", now.getJobShardingStrategyClass()),
                line("reconcile", now.getReconcileIntervalMinutes()),
                line("description", now.getDescription()));
    }

    private List<String> update(String job, String setting, String value) {
        JobSettings changed = settings.getJobSettings(job);
        switch (setting) {
            case "cron" -> changed.setCron(value);
            case "count" -> changed.setShardingTotalCount(Integer.parseInt(value));
            case "item parameters" -> changed.setShardingItemParameters(value);
            case "parameter" -> changed.setJobParameter(value);
            case "description" -> changed.setDescription(value);
            default -> throw new IllegalArgumentException("Nobody knows the setting " + setting);
        }
        settings.updateJobSettings(changed);
        return DONE;
    }

    private static String line(Object... words) {
        List<String> texts = new ArrayList<>();
        for (Object word : words) {
            texts.add(String.valueOf(word));
        }
        return String.join("\t", texts);
    }
}
