/**
 * A Kubernetes API server in memory, without sockets, threads or a clock of its own: {@link
 * io.sluice.testkit.apiserver.InMemoryApiServer} is what tests use. It stands behind the HTTP port
 * of fabric8's client, so that code of production runs on it unchanged. It behaves as the real one
 * in all that {@code ApiServerContract} says, which both pass.
 */
@NullMarked
package io.sluice.testkit.apiserver;

import org.jspecify.annotations.NullMarked;
