// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import java.io.UncheckedIOException;
import org.apache.hc.core5.http.HttpConnection;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.impl.Http1StreamListener;

/**
 * Ends a download whose host sends informational responses (1xx) without end. The client would read
 * them as fast as they come until the time of the download is over. Of one download, by one thread.
 */
final class InformationalResponses implements Http1StreamListener {
    private static final int MOST = 10;

    private int received;

    /**
     * @throws UncheckedIOException with a {@link LimitReached}, at one too many
     */
    @Override
    public void onResponseHead(HttpConnection connection, HttpResponse response) {
        if (response.getCode() < HttpStatus.SC_SUCCESS && ++received > MOST) {
            throw new UncheckedIOException(
                    new LimitReached(
                            DownloadLimit.HEADER,
                            "is answered with more than "
                                    + MOST
                                    + " informational responses (HTTP "
                                    + response.getCode()
                                    + ")"));
        }
    }

    @Override
    public void onRequestHead(HttpConnection connection, HttpRequest request) {}

    @Override
    public void onExchangeComplete(HttpConnection connection, boolean isKept) {}
}
