// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

/** Ends the work at a request, which gets this answer. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Response answer;

    public RefusedException(Response answer) {
        super(answer.text(), null, false, false);
        this.answer = answer;
    }

    public Response answer() {
        return answer;
    }
}
