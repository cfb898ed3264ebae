// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** How a path is answered. */
public sealed interface Page {
    /** Short, made at once, and the same for everybody. */
    record Probe(Supplier<Response> made) implements Page {}

    /** Made for one caller, with some effort. */
    record Listing(Function<Request, Response> made) implements Page {}

    /**
     * Long, and the same for everybody who may read it. When several callers still read former
     * answers, the latest of these is sent again: callers that don't read take no more memory.
     *
     * @param admit throws {@link RefusedException} for those who may not
     */
    record Shared(Consumer<Request> admit, Supplier<Response> made) implements Page {}
}
