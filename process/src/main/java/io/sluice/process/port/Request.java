// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A GET without a body.
 *
 * @param path as it was sent, without the query
 * @param query names of the query's parameters; their values are not used
 * @param authorization the header of that name
 */
public record Request(
        String path, Set<String> query, Optional<String> authorization, InetAddress peer) {
    private static final String AUTHORIZATION = "authorization:";

    public Request {
        query = Collections.unmodifiableSet(new LinkedHashSet<>(query));
    }

    /** The parts of the path between slashes. */
    public List<String> segments() {
        return List.of(path.substring(1).split("/", -1));
    }

    /** Throws {@link RefusedException} for what is no GET. */
    static Request read(String head, InetAddress peer) {
        List<String> lines = head.lines().toList();
        String[] first = lines.isEmpty() ? new String[0] : lines.getFirst().split(" ", 4);
        if (first.length != 3 || !first[0].equals("GET") || !first[1].startsWith("/")) {
            throw new RefusedException(Response.plain(405, "only GET is answered\n"));
        }
        List<String> authorizations =
                lines.stream()
                        .skip(1)
                        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(AUTHORIZATION))
                        .map(line -> line.substring(AUTHORIZATION.length()).strip())
                        .toList();
        if (authorizations.size() > 1) {
            throw new RefusedException(
                    Response.error(400, "a request may have one Authorization header"));
        }
        String[] target = first[1].split("[?]", 2);
        return new Request(
                target[0],
                target.length == 1 ? Set.of() : names(target[1]),
                authorizations.stream().findFirst(),
                peer);
    }

    private static Set<String> names(String query) {
        return Arrays.stream(query.split("&", -1))
                .map(each -> each.replaceFirst("=.*", ""))
                .collect(Collectors.toSet());
    }
}
