package dev.elasticjob.job.event;

/** What has become of the registry's data, other than by its instances and their operators. */
public enum RegistryLoss {
    /** The data is gone: the servers came back with empty disks, or somebody has deleted the namespace. */
    EMPTIED,
    /** Other data is there: others have begun anew with an emptied registry, or this is another one. */
    REPLACED,
    /** The data is older than what was read and written before: the servers were restored from a copy. */
    WENT_BACK
}
