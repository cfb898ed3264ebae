// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

/** Flink took the request up; what comes of it has to be observed. */
public enum Accepted {
    ACCEPTED
}
