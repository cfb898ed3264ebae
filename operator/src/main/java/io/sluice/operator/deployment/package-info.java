/** FlinkDeployments: their controller, and which reconciliations of them may be skipped. */
@NullMarked
package io.sluice.operator.deployment;

import org.jspecify.annotations.NullMarked;
