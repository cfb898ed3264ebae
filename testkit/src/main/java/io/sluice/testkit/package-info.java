// SPDX-License-Identifier: Apache-2.0
/** What tests of several modules share. */
@NullMarked
package io.sluice.testkit;

import org.jspecify.annotations.NullMarked;
