// SPDX-License-Identifier: Apache-2.0
/**
 * The webhook's certificate: its own authority and leaf, kept in one Secret, published as caBundle.
 * {@link io.sluice.certs.CertPlan} decides on a {@link io.sluice.certs.CertSnapshot}; {@link
 * io.sluice.certs.Rotator} observes and acts, in every replica at once, under optimistic locking.
 */
@NullMarked
package io.sluice.certs;

import org.jspecify.annotations.NullMarked;
