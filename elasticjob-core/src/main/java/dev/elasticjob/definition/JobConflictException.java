package dev.elasticjob.definition;

/** A job's name is already in use: by a job of another type, or by other software. */
public sealed class JobConflictException extends RuntimeException permits ForeignInstanceException {
    private static final long serialVersionUID = 1L;

    private final String jobName;

    public JobConflictException(String jobName, JobType registeredType, JobType localType) {
        super(("Job \"%s\" has the type %s in the registry, but the type %s in this application. Give the job another"
                        + " name. If its type has changed, remove the job from the registry, or set overwrite=true for"
                        + " one start while no instance of the other type runs, which also replaces what operators have"
                        + " changed.")
                .formatted(jobName, registeredType, localType));
        this.jobName = jobName;
    }

    JobConflictException(String jobName, String message) {
        super(message);
        this.jobName = jobName;
    }

    public String jobName() {
        return jobName;
    }
}
