// SPDX-License-Identifier: Apache-2.0
/** {@code sluice migrate}: what somebody who comes from the Apache operator has to do. */
@NullMarked
package io.sluice.cli.migrate;

import org.jspecify.annotations.NullMarked;
