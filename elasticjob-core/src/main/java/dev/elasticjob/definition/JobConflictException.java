package dev.elasticjob.definition;

/** A job's name is used by another class, or for another type of job, already. */
public final class JobConflictException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String jobName;

    public JobConflictException(String jobName, String registeredClass, String localClass) {
        super(("The job \"%s\" belongs to the class \"%s\" in the registry, but this application gives it the class"
                        + " \"%s\". Give the job another name; or, if the class was renamed, set overwrite=true for one"
                        + " start, or remove the job from the registry.")
                .formatted(jobName, registeredClass, localClass));
        this.jobName = jobName;
    }

    public JobConflictException(String jobName, JobType registeredType, JobType localType) {
        super(("The job \"%s\" is of the type %s in the registry, but of the type %s in this application. Give the job"
                        + " another name; or, if it has changed its type, set overwrite=true for one start while no"
                        + " instance of the other type runs, or remove the job from the registry.")
                .formatted(jobName, registeredType, localType));
        this.jobName = jobName;
    }

    public String jobName() {
        return jobName;
    }
}
