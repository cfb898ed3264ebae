// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

/** Fetches jars. A fault is an answer; this never throws for what a web server does. */
public interface Artifacts {
    /** May take as long as the source's policy allows. */
    Fetched fetch(JarSource source);
}
