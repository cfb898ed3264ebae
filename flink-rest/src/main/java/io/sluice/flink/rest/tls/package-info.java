/** By which certificates JobManagers are asked whose REST API uses TLS. */
@NullMarked
package io.sluice.flink.rest.tls;

import org.jspecify.annotations.NullMarked;
