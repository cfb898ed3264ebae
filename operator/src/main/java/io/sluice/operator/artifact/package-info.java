// SPDX-License-Identifier: Apache-2.0
/**
 * Fetches session jobs' jars. Whatever a user writes, nothing is read but what a web server sends,
 * from an address that was looked at before the connection was made to it.
 */
@NullMarked
package io.sluice.operator.artifact;

import org.jspecify.annotations.NullMarked;
