// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.cli.cluster.SafeText;
import io.sluice.manifest.Room;
import io.sluice.rules.config.DefaultConfiguration;
import java.util.List;
import java.util.Optional;

/**
 * Whether the ResourceQuotas of a namespace hold a second half, by the arithmetic by which the
 * operator does not begin a transition. Pure.
 *
 * @param isEnough false if they certainly do not
 */
record PlanRoom(String text, boolean isEnough) {
    /** No cluster was asked. */
    static final PlanRoom UNASKED =
            new PlanRoom(
                    "The ResourceQuotas are not compared, as no cluster is asked with --from.",
                    true);

    /**
     * @param template of the second half
     * @param quotas of the namespace; empty if they can't be listed
     */
    static PlanRoom of(
            ObjectNode template,
            String namespace,
            Optional<List<ResourceQuota>> quotas,
            DefaultConfiguration defaults) {
        if (quotas.isEmpty()) {
            return new PlanRoom(
                    "The ResourceQuotas are not compared, as you have no right to list"
                            + " resourcequotas in namespace '"
                            + namespace
                            + "'.",
                    true);
        }
        FlinkDeploymentSpec spec = Pair.half(template);
        try {
            return Room.of(
                            spec,
                            defaults.effective(
                                    namespace, spec.flinkVersion(), spec.flinkConfiguration()),
                            quotas.get())
                    .lack()
                    .map(PlanRoom::tooLittle)
                    .orElseGet(
                            () ->
                                    new PlanRoom(
                                            "The ResourceQuotas of namespace '"
                                                    + namespace
                                                    + "' have room for it.",
                                            true));
        } catch (IllegalArgumentException unreadable) {
            return new PlanRoom(
                    "The ResourceQuotas are not compared, as it can't be told what the half takes: "
                            + SafeText.message(unreadable),
                    true);
        }
    }

    private static PlanRoom tooLittle(String lack) {
        return new PlanRoom(
                "The transition does not begin before there is room, or handover is stop-first: "
                        + SafeText.line(lack),
                false);
    }
}
