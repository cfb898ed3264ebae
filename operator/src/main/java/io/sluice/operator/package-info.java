/** The operator's process. */
@NullMarked
package io.sluice.operator;

import org.jspecify.annotations.NullMarked;
