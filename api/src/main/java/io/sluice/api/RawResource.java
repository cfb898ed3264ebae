// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.sluice.api.spec.ResourceKind;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A resource whose spec and status are raw JSON. Whoever keeps many of them may hand one out with
 * its metadata only: the rest is read when somebody asks for it, once.
 */
public abstract sealed class RawResource extends CustomResource<ObjectNode, ObjectNode>
        implements Namespaced
        permits FlinkBlueGreenDeployment, FlinkDeployment, FlinkSessionJob, FlinkStateSnapshot {
    private Optional<Supplier<? extends RawResource>> rest = Optional.empty();

    /** A new resource of the kind, without metadata. */
    public static RawResource of(ResourceKind kind) {
        return switch (kind) {
            case FLINK_DEPLOYMENT -> new FlinkDeployment();
            case FLINK_SESSION_JOB -> new FlinkSessionJob();
            case FLINK_STATE_SNAPSHOT -> new FlinkStateSnapshot();
            case FLINK_BLUE_GREEN_DEPLOYMENT -> new FlinkBlueGreenDeployment();
        };
    }

    /** The kind that this is a resource of. */
    public final ResourceKind kind() {
        return switch (this) {
            case FlinkDeployment _ -> ResourceKind.FLINK_DEPLOYMENT;
            case FlinkSessionJob _ -> ResourceKind.FLINK_SESSION_JOB;
            case FlinkStateSnapshot _ -> ResourceKind.FLINK_STATE_SNAPSHOT;
            case FlinkBlueGreenDeployment _ -> ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT;
        };
    }

    /** From now on spec and status are those of {@code whole}, which is made when they are read. */
    public final void readLater(Supplier<? extends RawResource> whole) {
        rest = Optional.of(whole);
    }

    /**
     * Returns a supplier of the spec and the status of this resource, which need not have been read
     * yet. A copy takes it for {@link #readLater}.
     */
    public final synchronized Supplier<? extends RawResource> whole() {
        return rest.isPresent() ? rest.get() : () -> this;
    }

    @Override
    protected final ObjectNode initSpec() {
        return JsonNodeFactory.instance.objectNode();
    }

    @Override
    protected final ObjectNode initStatus() {
        return JsonNodeFactory.instance.objectNode();
    }

    @Override
    public final ObjectNode getSpec() {
        read();
        return super.getSpec();
    }

    @Override
    public final void setSpec(ObjectNode spec) {
        read();
        super.setSpec(spec);
    }

    @Override
    public final ObjectNode getStatus() {
        read();
        return super.getStatus();
    }

    @Override
    public final void setStatus(ObjectNode status) {
        read();
        super.setStatus(status);
    }

    @Override
    public final boolean equals(Object other) {
        read();
        if (other instanceof RawResource raw) {
            raw.read();
        }
        return super.equals(other);
    }

    @Override
    public final int hashCode() {
        read();
        return super.hashCode();
    }

    private synchronized void read() {
        if (rest.isPresent()) {
            RawResource whole = rest.get().get();
            rest = Optional.empty();
            super.setSpec(whole.getSpec());
            super.setStatus(whole.getStatus());
        }
    }
}
