// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import io.sluice.api.RawResource;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.cluster.Finding;
import java.util.List;

/**
 * What the API server has of a resource.
 *
 * @param related what belongs to it: the halves of a pair, the job of a snapshot
 */
record Picture(RawResource resource, Events events, List<Relative> related) {
    Picture {
        related = List.copyOf(related);
    }

    /** The events of a resource. */
    sealed interface Events {
        /** Of which these are told. */
        record Listed(List<EventLine> lines) implements Events {
            public Listed {
                lines = List.copyOf(lines);
            }
        }

        /** The caller has no right to list events. */
        record Hidden() implements Events {}
    }

    /**
     * A resource that belongs to another one.
     *
     * @param events of it, if it was found
     */
    record Relative(ResourceKind kind, String name, Finding finding, Events events) {}
}
