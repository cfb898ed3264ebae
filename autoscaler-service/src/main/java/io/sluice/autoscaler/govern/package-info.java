/** Whether a proposal is carried out: pure. */
@NullMarked
package io.sluice.autoscaler.govern;

import org.jspecify.annotations.NullMarked;
