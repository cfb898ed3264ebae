// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

/**
 * What befalls one call.
 *
 * <pre>
 *   client ──▶ RequestLost │ Answer
 *          ──▶ server      │ None
 *          ◀── ReplyLost
 *          ◀┄┄ Late: the client has given up when the server carries it out
 * </pre>
 */
public sealed interface CallFault {
    /** The call is carried out and answered. */
    record None() implements CallFault {}

    /** It does not reach the server. */
    record RequestLost() implements CallFault {}

    /** It is carried out, and the client does not learn of it. */
    record ReplyLost() implements CallFault {}

    /**
     * The client does not learn of it either, and it is carried out when {@link
     * InMemoryApiServer#carryOutLateCalls} says so.
     */
    record Late() implements CallFault {}

    /**
     * The server answers with an error and does nothing else.
     *
     * @param code of HTTP, as 429 or 500
     */
    record Answer(int code) implements CallFault {}

    CallFault NONE = new None();
}
