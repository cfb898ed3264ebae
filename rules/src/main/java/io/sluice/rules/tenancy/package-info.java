// SPDX-License-Identifier: Apache-2.0
/** What the platform team lets the users of a namespace have made for them. */
@NullMarked
package io.sluice.rules.tenancy;

import org.jspecify.annotations.NullMarked;
