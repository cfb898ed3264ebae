// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

/** What a JobManager answers to {@link JobManagerRest#runJar}. */
public enum Submission {
    /** The job is submitted now. */
    SUBMITTED,
    /** It was submitted before, under this id; it may have ended since. */
    KNOWN_ALREADY,
    /** This JobManager's process has no such jar: it was never uploaded to it, or deleted. */
    NO_SUCH_JAR
}
