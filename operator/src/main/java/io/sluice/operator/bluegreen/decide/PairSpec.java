// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.FlinkBlueGreenDeploymentSpec;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.rules.diff.PairDiff;
import java.util.Optional;

/**
 * The spec of a pair: the one that is wished for, or one on record.
 *
 * @param raw as it is stored
 */
public record PairSpec(ObjectNode raw, FlinkBlueGreenDeploymentSpec spec) {
    public static PairSpec of(ObjectNode raw) {
        return new PairSpec(raw, FlinkBlueGreenDeploymentSpec.parse(raw, "spec").value());
    }

    /** What a status has on record; empty if it can't be read. */
    static Optional<PairSpec> decode(String encoded) {
        return ReconciledSpec.decode(encoded).map(ReconciledSpec::spec).map(PairSpec::of);
    }

    /** Of a half that is there: what the pair would have to say to have it so. */
    static PairSpec ofHalf(ObjectNode spec) {
        ObjectNode raw = JsonNodeFactory.instance.objectNode();
        raw.putObject("template").set("spec", spec);
        return of(raw);
    }

    /** The text for the wire: <code>{"spec":…}</code>. */
    String encode() {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.set("spec", raw);
        return document.toString();
    }

    ObjectNode template() {
        return raw.path("template") instanceof ObjectNode node
                ? node
                : JsonNodeFactory.instance.objectNode();
    }

    /** The spec of a half, as it is written. */
    ObjectNode halfRaw() {
        return template().path("spec") instanceof ObjectNode node
                ? node
                : JsonNodeFactory.instance.objectNode();
    }

    FlinkDeploymentSpec half() {
        return spec.template().spec();
    }

    boolean hasTemplateOf(PairSpec other) {
        return template().equals(other.template());
    }

    PairDiff.Effect effectAfter(PairSpec before) {
        return PairDiff.between(before.half(), half()).effect();
    }

    boolean keepsState() {
        return PairDiff.keepsState(half());
    }

    /** Whether its job is to be suspended. */
    boolean isSuspended() {
        return half().job().filter(job -> job.state() == DesiredJobState.SUSPENDED).isPresent();
    }
}
