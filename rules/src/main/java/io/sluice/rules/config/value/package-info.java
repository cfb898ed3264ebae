// SPDX-License-Identifier: Apache-2.0
/** Values as Flink's options and Kubernetes' fields write them, read as types. */
@NullMarked
package io.sluice.rules.config.value;

import org.jspecify.annotations.NullMarked;
