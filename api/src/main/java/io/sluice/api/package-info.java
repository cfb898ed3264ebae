/**
 * The custom resources of {@code flink.apache.org/v1beta1} as records: data only, no behaviour.
 * Everything a user writes is read here once, field by field, so that a wrong type is a {@link
 * io.sluice.api.FieldProblem} with a path and never an exception.
 */
@NullMarked
package io.sluice.api;

import org.jspecify.annotations.NullMarked;
