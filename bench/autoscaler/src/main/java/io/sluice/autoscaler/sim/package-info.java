/**
 * A Flink whose truth is known, lived through in virtual time by the autoscaler and by the bare
 * engine.
 */
@NullMarked
package io.sluice.autoscaler.sim;

import org.jspecify.annotations.NullMarked;
