// SPDX-License-Identifier: Apache-2.0
/** Warnings about specs that are admitted, and what an edit will do. */
@NullMarked
package io.sluice.rules.advice;

import org.jspecify.annotations.NullMarked;
