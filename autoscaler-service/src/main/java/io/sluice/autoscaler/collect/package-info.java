/** What is seen: which jobs may be scaled, where and by which options. */
@NullMarked
package io.sluice.autoscaler.collect;

import org.jspecify.annotations.NullMarked;
