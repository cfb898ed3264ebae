// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import java.nio.charset.StandardCharsets;

/**
 * What the API server answers.
 *
 * @param code of HTTP
 * @param body JSON; it is shared, and nobody changes it
 */
@SuppressWarnings("ArrayRecordComponent")
record ApiReply(int code, byte[] body) {
    static ApiReply ok(byte[] body) {
        return new ApiReply(200, body);
    }

    static ApiReply text(String body) {
        return ok(body.getBytes(StandardCharsets.UTF_8));
    }

    static ApiReply of(ApiRefusal refusal) {
        return new ApiReply(
                refusal.code(), refusal.status().toString().getBytes(StandardCharsets.UTF_8));
    }
}
