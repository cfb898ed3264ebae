// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.state;

/**
 * An entry of what is stored of a job that is not used; the job begins anew without it.
 *
 * @param key of the ConfigMap
 * @param why for people, shortened for display
 */
public record Discarded(String key, Cause cause, String why) {
    private static final int LONGEST_WHY = 200;

    public Discarded {
        why = why.length() <= LONGEST_WHY ? why : why.substring(0, LONGEST_WHY) + "…";
    }

    /** Why the service does not use an entry. */
    public enum Cause {
        TOO_LARGE,
        UNREADABLE
    }

    /** For people. */
    public String text() {
        return key
                + switch (cause) {
                    case TOO_LARGE -> " is too large: ";
                    case UNREADABLE -> " can't be read: ";
                }
                + why;
    }
}
