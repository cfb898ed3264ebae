/** What kubelets say of images that are pulled before a job is stopped for them. */
@NullMarked
package io.sluice.operator.model.image;

import org.jspecify.annotations.NullMarked;
