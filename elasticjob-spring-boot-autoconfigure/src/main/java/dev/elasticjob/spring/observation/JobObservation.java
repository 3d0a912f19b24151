package dev.elasticjob.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/** The observations, with their default keys. */
public enum JobObservation implements ObservationDocumentation {
    /** The items that one instance has claimed together, from the claim to the end of the last item and the listeners. */
    FIRING {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultFiringObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {ObservedKey.JOB};
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return new KeyName[] {ObservedKey.RUN, ObservedKey.ITEMS};
        }
    },
    /** One item, from its start to its end, with all its attempts on this instance. A child of its firing. */
    ITEM {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultItemObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {ObservedKey.JOB, ObservedKey.TRIGGER, ObservedKey.OUTCOME};
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return new KeyName[] {ObservedKey.ITEM, ObservedKey.RUN, ObservedKey.ATTEMPT, ObservedKey.SCHEDULED};
        }
    },
    /**
     * A call of the job's cluster listeners, before the first item of a firing or after its last one. A root: the items
     * may run on other instances.
     */
    HOOK {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultHookObservationConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {ObservedKey.JOB, ObservedKey.HOOK, ObservedKey.OUTCOME};
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return new KeyName[] {ObservedKey.RUN, ObservedKey.ATTEMPT, ObservedKey.SCHEDULED};
        }
    };

    /** The keys of an observation. The long names are those of the log's MDC. */
    enum ObservedKey implements KeyName {
        /** The job's name. */
        JOB("job"),
        /** Why the item started: schedule, manual, failover or misfire. */
        TRIGGER("trigger"),
        /** Which call of cluster listeners: before or after. */
        HOOK("hook"),
        /** How the item or the call ended: completed, failed, timeout, interrupted or cancelled; none until then. */
        OUTCOME("outcome"),
        /** The run id, the same on every instance. */
        RUN("elasticjob.run"),
        /** The item's number. */
        ITEM("elasticjob.item"),
        /** The numbers of the items in the firing. */
        ITEMS("elasticjob.items"),
        /** The number of the item's starts, or of the call's, for the firing, from 1. */
        ATTEMPT("elasticjob.attempt"),
        /** The scheduled time of the item or of the firing; none for the call of a manual run. */
        SCHEDULED("elasticjob.scheduled-time");

        private final String key;

        ObservedKey(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }
}
