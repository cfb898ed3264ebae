// SPDX-License-Identifier: Apache-2.0
/** Files of YAML and JSON, read as {@code kubectl} reads them, with the line of each field. */
@NullMarked
package io.sluice.cli.document;

import org.jspecify.annotations.NullMarked;
