/** Turns job metrics into parallelism, for every job that asks for it. */
@NullMarked
package io.sluice.autoscaler;

import org.jspecify.annotations.NullMarked;
