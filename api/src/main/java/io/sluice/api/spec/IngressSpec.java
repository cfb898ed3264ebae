// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import io.sluice.api.json.Fields;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code spec.ingress}. */
public record IngressSpec(
        Optional<String> template,
        Optional<String> className,
        Map<String, String> annotations,
        Map<String, String> labels,
        List<Tls> tls) {
    /** One TLS entry: host names and the Secret that holds their certificate. */
    public record Tls(List<String> hosts, Optional<String> secretName) {
        public Tls {
            hosts = List.copyOf(hosts);
        }
    }

    public IngressSpec {
        annotations = Collections.unmodifiableMap(new LinkedHashMap<>(annotations));
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        tls = List.copyOf(tls);
    }

    static IngressSpec read(Fields fields) {
        return new IngressSpec(
                fields.string("template"),
                fields.string("className"),
                fields.stringMap("annotations"),
                fields.stringMap("labels"),
                fields.objects("tls").stream()
                        .map(tls -> new Tls(tls.strings("hosts"), tls.string("secretName")))
                        .toList());
    }
}
