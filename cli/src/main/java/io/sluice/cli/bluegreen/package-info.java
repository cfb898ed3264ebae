/**
 * {@code sluice bluegreen}: what an edit of a pair would do, and the approval and the end of a
 * transition.
 */
@NullMarked
package io.sluice.cli.bluegreen;

import org.jspecify.annotations.NullMarked;
