// SPDX-License-Identifier: Apache-2.0
/**
 * The admission webhook: an HTTPS edge that translates AdmissionReviews to rules and defaults and
 * back. It decides nothing itself and changes nothing in the cluster but its own certificate.
 */
@NullMarked
package io.sluice.webhook;

import org.jspecify.annotations.NullMarked;
