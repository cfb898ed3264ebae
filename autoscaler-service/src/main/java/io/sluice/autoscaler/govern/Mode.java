// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

/** What may become of a proposal. */
public enum Mode {
    /** It is published, if nothing speaks against it. */
    APPLY,
    /** It is shown and counted, never published. */
    RECOMMEND,
    /** Nothing is decided; what is published stays. */
    OFF
}
