// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import java.util.List;

/** What a caller sends, call after call. */
interface Script {
    /**
     * @return a whole HTTP request; must not be changed
     */
    byte[] request(int caller, long call);

    /** The same each time. */
    static Script always(String path, byte[] body) {
        byte[] request = Caller.post(path, body);
        return (_, _) -> request;
    }

    /**
     * Each of many updates once in turn, whoever sends it; what was sent is not sent again for so
     * long that nobody remembers it.
     */
    static Script each(String path, List<byte[]> bodies) {
        List<byte[]> requests = bodies.stream().map(body -> Caller.post(path, body)).toList();
        return (caller, call) -> requests.get(at(caller, call, requests.size()));
    }

    /**
     * Writes as the API server handles them: each is sent to be completed, and then to be checked.
     *
     * @param second what is sent the second time, in the order of {@code first}
     */
    static Script writes(List<byte[]> first, List<byte[]> second) {
        List<byte[]> mutations = first.stream().map(each -> Caller.post("/mutate", each)).toList();
        List<byte[]> validations =
                second.stream().map(each -> Caller.post("/validate", each)).toList();
        return (caller, call) ->
                (call % 2 == 0 ? mutations : validations).get(at(caller, call / 2, first.size()));
    }

    /** Callers begin at different places. */
    private static int at(int caller, long turn, int size) {
        return Math.floorMod(caller * 7919L + turn, size);
    }
}
