package dev.elasticjob.definition;

import java.util.Collection;

/** Instances of other software take part in a job that this instance should start. */
public final class ForeignInstanceException extends JobConflictException {
    private static final long serialVersionUID = 1L;

    /** @param foreign a description of each of these instances */
    public ForeignInstanceException(String jobName, Collection<String> foreign) {
        super(
                jobName,
                ("Expected no instances of other software in job \"%s\", but these take part in it: %s. While"
                                + " they run, firings can be lost and items can run twice. Stop them and start this application again,"
                                + " or give it a namespace of its own. To start it anyway, set"
                                + " \"elasticjob.on-foreign-instance\" to \"warn\".")
                        .formatted(jobName, String.join(", ", foreign)));
    }
}
