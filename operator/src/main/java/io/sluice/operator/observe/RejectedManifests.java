// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What was refused of the current attempts, by resource uid. Kept in memory only: after a restart
 * the next try is refused again and says so anew.
 */
public final class RejectedManifests {
    private record Refusal(String jobId, String message) {}

    private final Map<String, Refusal> byUid = new ConcurrentHashMap<>();

    public void remember(String uid, String jobId, String message) {
        byUid.put(uid, new Refusal(jobId, message));
    }

    public void forget(String uid) {
        byUid.remove(uid);
    }

    public Optional<String> of(String uid, Optional<String> jobId) {
        return Optional.ofNullable(byUid.get(uid))
                .filter(refusal -> jobId.equals(Optional.of(refusal.jobId())))
                .map(Refusal::message);
    }
}
