// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/** Tells a "no" of the API server from a fault that passes. */
public final class RefusedWrites {
    private static final int UNPROCESSABLE = 422;

    private RefusedWrites() {}

    /** Whether the user can do something about it, such as raise a quota or correct the spec. */
    public static boolean isRefusal(KubernetesClientException fault) {
        return fault.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                || fault.getCode() == HttpURLConnection.HTTP_BAD_REQUEST
                || fault.getCode() == UNPROCESSABLE;
    }
}
