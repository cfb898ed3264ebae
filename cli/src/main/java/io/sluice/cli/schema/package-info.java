// SPDX-License-Identifier: Apache-2.0
/** What the API server checks by the CRDs, before it calls a webhook. */
@NullMarked
package io.sluice.cli.schema;

import org.jspecify.annotations.NullMarked;
