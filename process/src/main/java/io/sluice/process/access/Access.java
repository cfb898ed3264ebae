// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.access;

import io.sluice.process.port.RefusedException;
import io.sluice.process.port.Request;

/** Who may read what. Each method throws {@link RefusedException} with the answer to send. */
public interface Access {
    /** Nobody is asked who they are, and everything may be read by everybody. */
    Access OPEN =
            new Access() {
                @Override
                public Caller caller(Request request) {
                    return new Caller.Anybody();
                }

                @Override
                public Caller replica(Request request) {
                    return new Caller.Anybody();
                }

                @Override
                public boolean allows(Caller caller, Permission permission) {
                    return true;
                }
            };

    /** Whose token the request has: 401 without one, 503 while the API server can't be asked. */
    Caller caller(Request request);

    /** Likewise, of a request that only another replica of this process may send. */
    Caller replica(Request request);

    /** Throws only if that can't be found out. */
    boolean allows(Caller caller, Permission permission);

    /** Refuses with 403 who has not the right. */
    default void require(Caller caller, Permission permission) {
        if (!allows(caller, permission)) {
            throw RefusalResponses.forbidden(caller, permission);
        }
    }
}
