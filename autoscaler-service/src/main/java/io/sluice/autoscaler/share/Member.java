// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import java.net.URI;
import java.util.Optional;

/**
 * One replica of the service.
 *
 * @param name of its pod, and of its Lease
 * @param address where other replicas reach its HTTP side; empty if nobody can
 */
public record Member(String name, Optional<URI> address) implements Comparable<Member> {
    @Override
    public int compareTo(Member other) {
        return name.compareTo(other.name);
    }
}
