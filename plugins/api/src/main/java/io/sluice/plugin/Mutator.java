// SPDX-License-Identifier: Apache-2.0
package io.sluice.plugin;

import java.util.Optional;

/** Completes a resource at admission, before the built-in defaults. Must be idempotent. */
public interface Mutator extends Plugin {
    /** The spec as it is to be, as JSON; empty to leave it as it is, as a fault does. */
    Optional<String> complete(Resource resource);
}
