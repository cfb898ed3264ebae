// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

/** What is peculiar about the vertices of a job. */
enum Trait {
    PLAIN,
    KEY_GROUPS,
    PRIME_PARTITIONS,
    SKEW,
    NON_LINEAR,
    NOISY,
    CONTENDED
}
