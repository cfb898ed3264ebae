/**
 * The objects that belong to a resource. Each is created, or verified by the uid of its owner
 * before it is changed, and deleted by its own uid: what belongs to somebody else stays as it is.
 * Nothing is made for a resource that somebody has changed since it was read.
 */
@NullMarked
package io.sluice.operator.child;

import org.jspecify.annotations.NullMarked;
