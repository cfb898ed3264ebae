// SPDX-License-Identifier: Apache-2.0
/** From an AdmissionReview to its verdict. */
@NullMarked
package io.sluice.webhook.admission;

import org.jspecify.annotations.NullMarked;
