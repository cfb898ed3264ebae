/** Which process of the service owns which job. */
@NullMarked
package io.sluice.autoscaler.share;

import org.jspecify.annotations.NullMarked;
