// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

/**
 * A record of the stream. Its payload keeps network buffers from hiding seconds of load: a backlog
 * is to be seen where it is counted, at the source.
 */
public record Event(long number, String payload) {}
