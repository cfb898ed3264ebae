/** The engine, one per job: what it sees and proposes. */
@NullMarked
package io.sluice.autoscaler.decide;

import org.jspecify.annotations.NullMarked;
