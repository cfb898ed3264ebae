// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.validation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** Says whether the spec of a resource may be carried out, beside the built-in rules. */
@FunctionalInterface
public interface SpecValidators {
    /** Everything may be carried out. */
    SpecValidators NONE = (_, _) -> new Verdict.Accepted();

    /**
     * Returns soon: a verdict that takes long is {@link Verdict.Pending} until it is there.
     *
     * @param resource as it is stored
     * @param spec of the resource, with the defaults that admission would have filled in
     */
    Verdict of(HasMetadata resource, ObjectNode spec);
}
