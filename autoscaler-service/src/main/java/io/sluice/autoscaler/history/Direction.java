// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.history;

/** Where a rescale goes: up as soon as one vertex gets more subtasks. */
public enum Direction {
    UP,
    DOWN
}
