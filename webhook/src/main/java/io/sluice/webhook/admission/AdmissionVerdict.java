// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

/**
 * Everything there is to say about one request, whichever path it came by.
 *
 * @param request without the objects that were judged
 * @param mutated the answer of {@code /mutate}
 * @param validated the answer of {@code /validate}
 * @param remembered whether nothing had to be looked at for it
 */
public record AdmissionVerdict(
        AdmissionRequest request, Verdict mutated, Verdict validated, boolean remembered) {
    public AdmissionVerdict(AdmissionRequest request, Verdict mutated, Verdict validated) {
        this(request, mutated, validated, false);
    }

    public AdmissionVerdict {
        request = request.withoutObjects();
    }

    /** The same, for who asks again under another uid. */
    public AdmissionVerdict askedAs(String uid) {
        return new AdmissionVerdict(request.withUid(uid), mutated, validated, true);
    }
}
