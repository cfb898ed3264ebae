// SPDX-License-Identifier: Apache-2.0
/** {@code sluice lint}: what the API server and the webhook would say of files. */
@NullMarked
package io.sluice.cli.lint;

import org.jspecify.annotations.NullMarked;
