/** What others read: the ConfigMap, events, metrics. */
@NullMarked
package io.sluice.autoscaler.publish;

import org.jspecify.annotations.NullMarked;
