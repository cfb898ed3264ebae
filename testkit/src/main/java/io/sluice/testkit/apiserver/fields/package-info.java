/** What patches do to trees of JSON, and which fields of an object belong to whom. */
@NullMarked
package io.sluice.testkit.apiserver.fields;

import org.jspecify.annotations.NullMarked;
