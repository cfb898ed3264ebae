// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.crd;

import io.sluice.operator.crd.InstalledCrds.Finding;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells at the start which CRDs are older than this version. The operator starts all the same: what
 * runs is left running, and a status that is cut stops its own resource only.
 *
 * @param gauge is handed a CRD's name and whether it is current
 * @param warn is handed a sentence for people
 */
public record CrdCheck(BiConsumer<String, Boolean> gauge, Consumer<String> warn) {
    private static final Logger LOG = LoggerFactory.getLogger(CrdCheck.class);

    public void tell(List<Finding> findings) {
        for (Finding finding : findings) {
            switch (finding) {
                case Finding.Current(var crd) -> gauge.accept(crd, true);
                case Finding.Older older -> {
                    gauge.accept(older.crd(), false);
                    warn.accept(older.text());
                    LOG.warn(older.text());
                }
                case Finding.Absent(var crd) -> {
                    gauge.accept(crd, false);
                    LOG.error(
                            "The CRD {} is not installed; apply the chart's crds ({}).",
                            crd,
                            InstalledCrds.UPDATE);
                }
                case Finding.Unread(var crd, var why) ->
                        LOG.atInfo()
                                .addKeyValue("crd", crd)
                                .addKeyValue("cause", why)
                                .log("whether the CRD is current could not be looked up");
            }
        }
    }
}
