// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.edge;

import io.sluice.process.port.Endpoint;
import io.sluice.process.port.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The page's files, which tell of no job and are answered to everybody. Nothing comes from
 * elsewhere and nothing stands in the markup itself.
 */
enum PageFile {
    INDEX(
            "index.html",
            "text/html; charset=utf-8",
            List.of(Endpoint.AUTOSCALER_PAGE, Endpoint.JOB_PAGE)),
    STYLE("page.css", "text/css; charset=utf-8", List.of(Endpoint.PAGE_STYLE)),
    SCRIPT("page.js", "text/javascript; charset=utf-8", List.of(Endpoint.PAGE_SCRIPT));

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final String text;
    private final String type;
    private final List<Endpoint> endpoints;

    PageFile(String name, String type, List<Endpoint> endpoints) {
        this.text = read(name);
        this.type = type;
        this.endpoints = endpoints;
    }

    List<Endpoint> endpoints() {
        return endpoints;
    }

    Response answer() {
        return Response.of(type, text)
                .with("Content-Security-Policy", POLICY)
                .with("Referrer-Policy", "no-referrer");
    }

    private static String read(String name) {
        try (InputStream file =
                Objects.requireNonNull(PageFile.class.getResourceAsStream("/page/" + name), name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
