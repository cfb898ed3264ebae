// SPDX-License-Identifier: Apache-2.0
/** {@code sluice migrate values}: values of our chart from those of the Apache operator's chart. */
@NullMarked
package io.sluice.cli.migrate.values;

import org.jspecify.annotations.NullMarked;
