// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import java.util.List;

/** What a removal does, in the order of a plan. */
sealed interface DownStep {
    /**
     * The resources in the namespace of the example are deleted while the operator runs, and waited
     * for.
     *
     * @param kinds the CRDs that are there
     */
    record DeleteResources(List<String> kinds) implements DownStep {
        public DeleteResources {
            kinds = List.copyOf(kinds);
        }
    }

    /** Helm removes the release. */
    record Uninstall(String namespace) implements DownStep {}

    /** The CRDs are deleted. */
    record DeleteCrds(List<String> names) implements DownStep {
        public DeleteCrds {
            names = List.copyOf(names);
        }
    }

    /**
     * CRDs stay.
     *
     * @param why as the end of a sentence
     */
    record KeepCrds(List<String> names, String why) implements DownStep {
        public KeepCrds {
            names = List.copyOf(names);
        }
    }

    /** A namespace that a trial has created is deleted, with what is left in it. */
    record DeleteNamespace(String name) implements DownStep {}
}
