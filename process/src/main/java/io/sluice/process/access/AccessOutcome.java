// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.access;

import java.util.Locale;

/** What became of a request for something that not everybody may read. */
public enum AccessOutcome {
    /** It is known who the caller is. */
    AUTHENTICATED,
    /** There is no token, or the API server does not accept it. */
    UNAUTHENTICATED,
    /** The header can't be a token, so that nobody was asked. */
    MALFORMED,
    /** The caller is known and has not the right. */
    FORBIDDEN,
    /** The API server was not asked, as there were too many questions. */
    THROTTLED,
    /** The API server does not answer, or this process may not ask it. */
    UNAVAILABLE;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
