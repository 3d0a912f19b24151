/**
 * Applications of Kubernetes in the registry: what their controller shows there, and what operators ask of it. The controller
 * reads and writes through {@link dev.elasticjob.admin.app.AppNodes}, people through {@link
 * dev.elasticjob.admin.JobInspector} and {@link dev.elasticjob.admin.JobAdmin}. See "Applications" in {@code
 * docs/internals/protocol-apps.md}.
 */
@NullMarked
package dev.elasticjob.admin.app;

import org.jspecify.annotations.NullMarked;
