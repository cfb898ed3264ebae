/** What was seen, proposed and decided last, and why. */
@NullMarked
package io.sluice.autoscaler.explain;

import org.jspecify.annotations.NullMarked;
