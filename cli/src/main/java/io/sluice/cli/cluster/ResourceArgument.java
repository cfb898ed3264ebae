// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.cluster;

import io.sluice.api.spec.ResourceKind;
import java.util.Optional;

/**
 * A resource that the command line names.
 *
 * @param kind empty if only the name is given
 */
public record ResourceArgument(Optional<ResourceKind> kind, String name) {
    /**
     * Empty if the text names no resource.
     *
     * @param text {@code NAME} or {@code KIND/NAME}, as kubectl takes it
     */
    public static Optional<ResourceArgument> of(String text) {
        int slash = text.indexOf('/');
        String name = text.substring(slash + 1);
        Optional<ResourceKind> kind =
                slash < 0 ? Optional.empty() : KindWords.kind(text.substring(0, slash));
        boolean isNone = name.isBlank() || name.contains("/") || (slash >= 0 && kind.isEmpty());
        return isNone ? Optional.empty() : Optional.of(new ResourceArgument(kind, name));
    }
}
