/** The way to a JobManager from outside, which follows the spec without a restart of the job. */
@NullMarked
package io.sluice.operator.ingress;

import org.jspecify.annotations.NullMarked;
