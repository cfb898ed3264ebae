// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.cli.document.Unreadable;
import java.util.function.Function;
import picocli.CommandLine;

/** Runs a check, prints its report, and says what the command ends with. */
final class CheckEnd {
    private static final int FINE = 0;
    private static final int OPEN = 1;
    static final int UNASKED = 2;

    static final String ON_FINE = FINE + ":every resource is taken over as it is";
    static final String ON_OPEN = OPEN + ":something is blocked, or needs an edit";
    static final String ON_UNASKED =
            UNASKED
                    + ":the cluster cannot be asked, or a right is missing, or the command line is"
                    + " wrong";

    private CheckEnd() {}

    /**
     * @param product the operator that serves the cluster
     */
    static int of(
            CommandLine line,
            ClusterOptions cluster,
            Product product,
            Function<LivePicture, CheckReport> check) {
        try {
            CheckReport report = check.apply(cluster.read(product));
            line.getOut().print(cluster.written(report, product));
            line.getOut().flush();
            if (!report.isFine()) {
                return OPEN;
            }
            return report.missing().isEmpty() ? FINE : UNASKED;
        } catch (Unreadable | KubernetesClientException unasked) {
            line.getErr()
                    .println(line.getCommandSpec().qualifiedName() + ": " + unasked.getMessage());
            return UNASKED;
        }
    }
}
