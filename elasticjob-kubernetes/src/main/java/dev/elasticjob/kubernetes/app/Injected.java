package dev.elasticjob.kubernetes.app;

import java.util.List;
import java.util.Set;

/** The names that the controller itself writes into a worker's pod, which a template leaves alone. */
public final class Injected {
    /** Before all labels by which workers are found. */
    public static final String LABELS = "elasticjob.dev/";

    public static final String APP = LABELS + "app";
    public static final String POOL = LABELS + "pool";
    public static final String ORDINAL = LABELS + "ordinal";
    public static final String NUMBER = LABELS + "number";
    public static final String TEMPLATE = LABELS + "template";

    public static final String POD_IP = "ELASTICJOB_POD_IP";
    public static final String POD_NAME = "ELASTICJOB_POD_NAME";
    public static final String INSTANCE_ID = "ELASTICJOB_INSTANCE_ID";
    public static final String CONNECT_STRING = "ELASTICJOB_REGISTRY_CONNECTSTRING";
    public static final String NAMESPACE = "ELASTICJOB_REGISTRY_NAMESPACE";
    public static final String DIGEST = "ELASTICJOB_REGISTRY_DIGEST";
    public static final String CAPACITY = "ELASTICJOB_WORKER_CAPACITY";
    public static final String IDLE_AFTER = "ELASTICJOB_WORKER_IDLEAFTER";
    public static final String FRESH = "ELASTICJOB_WORKER_FRESH";
    public static final String JOBS = "ELASTICJOB_WORKER_JOBS";
    public static final String EXCEPT = "ELASTICJOB_WORKER_EXCEPT";

    static final Set<String> VARIABLES = Set.copyOf(List.of(
            POD_IP,
            POD_NAME,
            INSTANCE_ID,
            CONNECT_STRING,
            NAMESPACE,
            DIGEST,
            CAPACITY,
            IDLE_AFTER,
            FRESH,
            JOBS,
            EXCEPT));

    private Injected() {}
}
