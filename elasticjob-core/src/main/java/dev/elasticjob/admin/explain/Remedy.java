package dev.elasticjob.admin.explain;

/** What ends a condition. Each says what a person does, or for what to wait. */
public enum Remedy implements Sentence.Form {
    GRANT_ACCESS("Grant this client access to the node"),
    START_OR_REMOVE("Start an application that declares the job, or finish the removal by repeating it"),
    CORRECT_DEFINITION(
            "Repair the settings (JobAdmin.repair, or POST repair to the endpoint), or correct the node. The job then"
                    + " continues by itself"),
    CORRECT_ASSIGNMENT("Restore the node's former text, or empty the node: then the leader plans anew"),
    STOP_FOREIGN("Stop these instances, or give one of the two jobs another name"),
    START_INSTANCE(
            "Start an application that declares the job, and doesn't leave it out by \"elasticjob.worker.jobs\" or"
                    + " \"elasticjob.worker.except\""),
    START_REGISTRY_INSTANCE(
            "Start an application that has \"elasticjob.jobs-from-registry\", may run the job, and doesn't leave it out by"
                    + " \"elasticjob.worker.jobs\" or \"elasticjob.worker.except\". The logs of those that have it say why they"
                    + " don't run it"),
    MEND_AND_RESUME(
            "Mend what makes the item fail, then resume the job (JobAdmin.resume, or POST resume to the endpoint)"),
    RESUME("Resume the job (JobAdmin.resume, or POST resume to the endpoint)"),
    RESUME_ALL("Resume the namespace (JobAdmin.resumeAll, or POST resume-all to the endpoint)"),
    ENABLE_JOB("Enable the job (JobAdmin.enable, or POST enable to the endpoint)"),
    ENABLE_SERVER("Enable the server \"{server}\" (JobAdmin.enableServer, or POST enable-server to the endpoint)"),
    END_DRAIN("End the drain of \"{id}\" (JobAdmin.undrain, or POST undrain to the endpoint)"),
    START_MATCHING_INSTANCE(
            "Start an instance with these labels (elasticjob.worker.labels), or change the job's runOn"),
    RAISE_TOTAL("Raise shardingTotalCount"),
    WAIT_FOR_LEADER(
            "An instance stands for election as soon as it reads this. If none does, check the instances' logs"),
    WAIT_FOR_PLAN("The leader plans within moments. If it doesn't, request resharding, and check the leader's log"),
    WAIT_FOR_OWNER("The leader gives the item to another instance"),
    WAIT_FOR_SUCCESSOR(
            "Start the instance again, or one on its server with the same labels and version. If none comes, the leader then"
                    + " gives the item to another instance, if one may run it. To end the wait now, drain \"{id}\""
                    + " (JobAdmin.drain, or POST drain to the endpoint)"),
    WAIT_OR_ENABLE_SERVER("The leader gives the item to another instance. To use this one again, enable the server"
            + " \"{server}\" (JobAdmin.enableServer, or POST enable-server to the endpoint)"),
    WAIT_FOR_SESSION("It claims again when it has a session. If it doesn't, check the connection to the registry"),
    LOOK_AT_METRICS("Look at the metrics and the log of that instance, or set monitorExecution=true"),
    ASK_INSTANCE("Ask the endpoint of that instance"),
    RESHARD("Request resharding: the leader creates the node"),
    CORRECT_RECORD("Correct the node, or delete it and request resharding"),
    WAIT_FOR_READER("The next instance that reads the item records it, and the job's policy decides what follows"),
    WAIT_OR_CANCEL("It ends by itself, or at its timeout. To end it, cancel it (JobAdmin.cancel, or POST cancel to the"
            + " endpoint)"),
    WAIT_FOR_RUNS("It ends when the runs that wait have begun"),
    WAIT_FOR_INTERRUPTION("It ends when its code responds to the interruption"),
    FREE_THREADS("Find out what the jobs that have the threads wait for, limit their concurrency, or raise"
            + " elasticjob.executor.max-threads. To cancel this item frees no thread"),
    RAISE_CAPACITY("Lower the item's weight (weight, itemWeights), or raise elasticjob.worker.capacity there"),
    RAISE_CAPACITY_OR_MOVE(
            "Lower the item's weight (weight, itemWeights), raise elasticjob.worker.capacity there, or choose the sharding"
                    + " strategy WEIGHTED: it gives the item to an instance that can carry it"),
    WAIT_FOR_CAPACITY("It starts in its turn, once other items have ended; or raise elasticjob.worker.capacity"),
    WAIT_FOR_THREAD("Another instance may take it over; or raise elasticjob.executor.max-threads"),
    ENABLE_ITEM("Enable the item (JobAdmin.enableItem, or POST enable-item to the endpoint)"),
    TRIGGER_LOST("The item continues with its next firing. To repeat the lost work, trigger the job"),
    WAIT_FOR_PAUSE("The pause ends by itself. Find out why the instances died"),
    SYNCHRONIZE_CLOCK("Synchronize the clock of its machine (NTP)"),
    SYNCHRONIZE_CLOCKS("Synchronize the clocks of the machines, or those of the ZooKeeper servers (NTP)"),
    WAIT_FOR_LISTENERS(
            "It ends by itself, or at before-first-timeout. If it lasts, start an instance that has the listeners"),
    WAIT_FOR_REQUEST("It ends by itself. If the caller is gone, an instance completes the request after some seconds"),
    TRIGGER("Trigger the job to run it now"),
    CHECK_REGISTRATION(
            "Either no instance of this job leads yet, or the jobs would follow each other in a circle; then the"
                    + " leader has logged an ERROR"),
    CHECK_PARENT("It is followed as soon as one of its instances has joined; check the name and the namespace"),
    RECORD_PARENT("Set it to true"),
    MEND_PARENT("Mend the job \"{job}\", and run it again; or trigger this job to run it now"),
    CONFIRM_DATA_LOSS(
            "Find out what is lost, then confirm it (JobAdmin.confirmDataLoss, or POST confirm-data-loss to the"
                    + " endpoint)"),
    CORRECT_PROBLEM("Correct what the problem names"),
    EXTEND_CALENDAR(
            "Add the days of the next year to the calendar where the job is declared, and deploy that; or change the"
                    + " job's setting calendar"),
    CHECK_THREADS("Check the logs of its instances: whether they are connected, and have free threads"),
    WAIT_OR_RESHARD(
            "The leader gives them to others within moments. If it doesn't, request resharding, and check its log"),
    CONTINUE_OR_STOP_BACKFILL(
            "It goes on when the job does; or stop it (JobAdmin.stopBackfill, or POST stop-backfill to the"
                    + " endpoint)"),
    MEND_AND_RUN_AGAIN(
            "Mend the cause, and run what failed again (JobAdmin.runAgain, or POST run-again to the endpoint)"),
    MEND("Mend the cause. It ends with the next execution that completes"),
    WAIT_FOR_TAKEOVER("Another instance takes it over as soon as it has a free thread"),
    LOOK_AT_PARENTS("Look at the firings of the jobs before it, or trigger the job to run it now"),
    START_MEMBER("Start an application that declares the group. If there is none any more, delete the node {node}"),
    EMPTY_ASSIGNMENT("Empty the node: then the leader of the group assigns the indexes anew"),
    RESTART_MEMBER("Its log says where its thread is. Restart it if it hangs"),
    LOOK_AT_MEMBER("Look at its log: whether it is connected, and whether its former work has stopped"),
    START_CONTROLLER("Start the controller, or look at its log. If the ElasticApp is gone for good, forget the"
            + " application"),
    CORRECT_APP("Correct what the message names: kubectl edit eapp -n {namespace} {app}"),
    READ_WORKER_LOG("Read the end of the worker's log on the page of the application, and correct its code,"
            + " settings or image"),
    READ_PREVIOUS_LOG("Read why the container of the pod ended, and correct its code, settings or image: kubectl logs"
            + " --previous -n {namespace} POD"),
    MAKE_ROOM("Add nodes, or lower what the pool's workers request"),
    CORRECT_IMAGE("Correct the image of the template, or give the cluster access to it"),
    ALLOW_WORKERS("Raise the quota, or correct the template as the API server asks: kubectl describe job -n"
            + " {namespace}"),
    FREE_NAME("Delete what has the name, or rename the pool"),
    CORRECT_LABELS("Correct the labels of the template's instances, or the job's runOn"),
    END_LOST_PODS("The places are freed when the pods are gone. If their node is lost, delete these pods"),
    WAIT_FOR_QUEUE("The queue starts them when it has room. If that takes too long, raise its quota"),
    DESCRIBE_PODS("Look at the events of the pods: kubectl describe pod -n {namespace}");

    private final String template;

    Remedy(String template) {
        this.template = template;
    }

    @Override
    public String template() {
        return template;
    }
}
