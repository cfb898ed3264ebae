/** {@code sluice why}: says what state a resource is in, what it waits for, and what to do. */
@NullMarked
package io.sluice.cli.why;

import org.jspecify.annotations.NullMarked;
