// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

/**
 * A Lease as it was read.
 *
 * @param beat changes with each renewal; two that are equal are the same renewal
 */
record Heartbeat(Member member, String beat) {}
