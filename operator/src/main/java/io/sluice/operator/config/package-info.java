/** The process's own settings, parsed once. */
@NullMarked
package io.sluice.operator.config;

import org.jspecify.annotations.NullMarked;
