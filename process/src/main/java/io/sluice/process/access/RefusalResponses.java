// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.access;

import io.sluice.process.port.RefusedException;
import io.sluice.process.port.Response;

/** The answers to those who may not read what they ask for, as JSON like those of an API server. */
final class RefusalResponses {
    private RefusalResponses() {}

    static RefusedException unauthenticated(String why) {
        return refused(
                401,
                why
                        + "; send the header 'Authorization: Bearer TOKEN', for example with the"
                        + " token of 'kubectl create token SERVICEACCOUNT'");
    }

    static RefusedException forbidden(Caller caller, Permission permission) {
        String who =
                switch (caller) {
                    case Caller.Anybody _ -> "the caller";
                    case Caller.User user -> user.name();
                };
        return refused(403, who + " may not " + permission.text());
    }

    static RefusedException notAReplica(Caller.User user) {
        return refused(403, user.name() + " is not a replica of this process");
    }

    static RefusedException throttled(String why) {
        return refused(429, why);
    }

    static RefusedException unavailable(String why) {
        return refused(
                503, "the API server can't be asked who may read this, so nobody may: " + why);
    }

    private static RefusedException refused(int status, String why) {
        Response answer = Response.error(status, why);
        return new RefusedException(
                switch (status) {
                    case 401 -> answer.with("WWW-Authenticate", "Bearer realm=\"sluice\"");
                    case 429, 503 -> answer.with("Retry-After", "2");
                    default -> answer;
                });
    }
}
