/**
 * A cluster as manifests: a pure function of the spec and of what the operator decided for this
 * attempt.
 */
@NullMarked
package io.sluice.manifest;

import org.jspecify.annotations.NullMarked;
