// SPDX-License-Identifier: Apache-2.0
/**
 * Who may read what a process serves: the Kubernetes API is asked for the owner of a bearer token
 * (TokenReview) and for the owner's rights (SubjectAccessReview).
 */
@NullMarked
package io.sluice.process.access;

import org.jspecify.annotations.NullMarked;
