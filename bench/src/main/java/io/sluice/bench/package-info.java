// SPDX-License-Identifier: Apache-2.0
/**
 * Measurements of the real processes. A measured process runs in a JVM of its own, with the flags
 * of its image, against a small stand-in for a Kubernetes API server.
 */
@NullMarked
package io.sluice.bench;

import org.jspecify.annotations.NullMarked;
