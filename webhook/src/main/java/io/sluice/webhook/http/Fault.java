// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import io.sluice.webhook.admission.BodyParts;
import java.util.Locale;

/** Why a request got no verdict. */
enum Fault {
    MALFORMED(400, "the body is not an AdmissionReview of admission.k8s.io/v1"),
    SLOW(408, "the body did not arrive in time; send it at once"),
    TOO_LARGE(
            413,
            "the body is larger than 3 MiB or has more than "
                    + BodyParts.MOST
                    + " values; make the resource smaller"),
    BUSY(429, "too many requests at once; try again"),
    EXPIRED(503, "the caller's timeout passed before the review could start; nothing was reviewed"),
    INTERNAL(500, "internal error; the log has more under this id"),
    NOT_READY(503, "not ready; /readyz says what is missing");

    private final int status;
    private final String text;

    Fault(int status, String text) {
        this.status = status;
        this.text = text;
    }

    int status() {
        return status;
    }

    /** What the caller is told; nothing of what it sent, nothing of our insides. */
    String text() {
        return text;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
