// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import io.sluice.api.spec.ResourceKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Why a resource is in the state it is in. All texts may be shown on a terminal.
 *
 * @param reason of the conditions; empty if there is none
 * @param since when the verdict became this one; empty if the status does not say
 * @param sentences what state it is in, what it waits for, and until when
 * @param remedies what to do; empty if there is nothing to do
 * @param related what belongs to the resource
 * @param missing a sentence for each resource that belongs to it and could not be explained
 */
record Explanation(
        ResourceKind kind,
        String namespace,
        String name,
        Verdict verdict,
        String reason,
        Optional<Instant> since,
        List<String> sentences,
        Picture.Events events,
        List<String> remedies,
        List<Explanation> related,
        List<String> missing) {
    Explanation {
        sentences = List.copyOf(sentences);
        remedies = List.copyOf(remedies);
        related = List.copyOf(related);
        missing = List.copyOf(missing);
    }

    /** For people. */
    String subject() {
        return kind.wire() + " " + namespace + "/" + name;
    }
}
