/** Which of several operators acts, and how one that may not any more is kept from it. */
@NullMarked
package io.sluice.operator.leadership;

import org.jspecify.annotations.NullMarked;
