// SPDX-License-Identifier: Apache-2.0
package io.sluice.supply;

import org.apache.maven.artifact.versioning.DefaultArtifactVersion;
import org.apache.maven.artifact.versioning.InvalidVersionSpecificationException;
import org.apache.maven.artifact.versioning.VersionRange;

/**
 * A published weakness of a component.
 *
 * @param component {@code group:artifact}
 * @param affected the affected versions, in Maven's notation of ranges
 */
record Advisory(
        String id, String component, VersionRange affected, String summary, Verdict verdict) {
    boolean concerns(Coordinates shipped) {
        return shipped.name().equals(component)
                && affected.containsVersion(new DefaultArtifactVersion(shipped.version()));
    }

    static VersionRange range(String id, String text) {
        try {
            return VersionRange.createFromVersionSpec(text);
        } catch (InvalidVersionSpecificationException wrong) {
            throw new SupplyException(
                    id
                            + ": affected \""
                            + text
                            + "\" is no range of versions: "
                            + wrong.getMessage());
        }
    }
}
