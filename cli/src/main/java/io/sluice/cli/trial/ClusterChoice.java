// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import java.util.Locale;
import java.util.Optional;

/** Which cluster a trial uses: one that a program makes for it, or that of the current context. */
enum ClusterChoice {
    KIND(Optional.of(Maker.KIND)),
    K3D(Optional.of(Maker.K3D)),
    CURRENT(Optional.empty());

    private final Optional<Maker> maker;

    ClusterChoice(Optional<Maker> maker) {
        this.maker = maker;
    }

    /** Who makes the cluster; empty if it is there already. */
    Optional<Maker> maker() {
        return maker;
    }

    /** As it is written on the command line and in the record of a trial. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
