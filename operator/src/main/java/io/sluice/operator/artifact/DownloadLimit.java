// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

/** A limit of downloads that a jar, or the host that sends it, goes beyond. */
public enum DownloadLimit {
    /** The jar has more bytes than a jar may have. */
    SIZE,
    /** The download takes longer than all of it may take. */
    TIME,
    /** The host redirects too often. */
    REDIRECTS,
    /**
     * A line of the response's head is too long, or there are too many, or too many informational
     * responses come before it.
     */
    HEADER,
    /** The jars of the namespace, or all jars, that are being fetched leave no room for it. */
    ROOM
}
