/**
 * Applications of Kubernetes in the registry: what their controllers show there, and what operators wish of them: {@code
 * docs/internals/protocol-apps.md}. The door is {@link dev.elasticjob.admin.app.AppNodes}; people come through {@link
 * dev.elasticjob.admin.JobInspector} and {@link dev.elasticjob.admin.JobAdmin}.
 *
 * <p>Nothing that runs jobs reads these nodes. Thread-safe; nothing here blocks.
 */
@NullMarked
package dev.elasticjob.admin.app;

import org.jspecify.annotations.NullMarked;
