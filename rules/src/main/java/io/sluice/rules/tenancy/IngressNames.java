// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.tenancy;

import io.sluice.api.spec.IngressSpec;
import io.sluice.rules.pattern.Placeholders;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The names in {@code spec.ingress}. */
final class IngressNames {
    private static final String FIELD = "spec.ingress.";
    private static final String TEMPLATE = FIELD + "template";

    /** How a class was named before there was a field for it; controllers read it still. */
    private static final String CLASS_ANNOTATION = "kubernetes.io/ingress.class";

    private IngressNames() {}

    static List<Named> hosts(Request request) {
        return request.spec().ingress().stream()
                .flatMap(ingress -> hosts(ingress, request.names()).stream())
                .toList();
    }

    private static List<Named> hosts(IngressSpec ingress, Placeholders names) {
        List<Named> hosts = new ArrayList<>();
        ingress.template()
                .flatMap(template -> IngressUrl.of(template, names))
                .map(
                        url ->
                                url.host()
                                        .map(host -> Named.of(TEMPLATE, host, "host"))
                                        .orElseGet(
                                                () ->
                                                        new Named(
                                                                TEMPLATE,
                                                                "",
                                                                "has no host and would receive the"
                                                                        + " requests of every"
                                                                        + " host, which is not"
                                                                        + " allowed here")))
                .ifPresent(hosts::add);
        for (int entry = 0; entry < ingress.tls().size(); entry++) {
            List<String> listed = ingress.tls().get(entry).hosts();
            for (int host = 0; host < listed.size(); host++) {
                hosts.add(
                        Named.of(
                                FIELD + "tls[" + entry + "].hosts[" + host + "]",
                                listed.get(host),
                                "host"));
            }
        }
        return hosts;
    }

    static List<Named> classes(Request request) {
        List<Named> classes = new ArrayList<>();
        request.spec()
                .ingress()
                .ifPresent(
                        ingress -> {
                            ingress.className()
                                    .filter(name -> !name.isEmpty())
                                    .ifPresent(
                                            name ->
                                                    classes.add(
                                                            Named.of(
                                                                    FIELD + "className",
                                                                    name,
                                                                    "class")));
                            if (ingress.annotations().containsKey(CLASS_ANNOTATION)) {
                                classes.add(
                                        Named.of(
                                                FIELD + "annotations[" + CLASS_ANNOTATION + "]",
                                                ingress.annotations().get(CLASS_ANNOTATION),
                                                "class"));
                            }
                        });
        return classes;
    }

    static List<Named> annotations(Request request) {
        return request.spec().ingress().stream()
                .flatMap(ingress -> new TreeMap<>(ingress.annotations()).keySet().stream())
                .filter(key -> !key.equals(CLASS_ANNOTATION))
                .map(key -> Named.of(FIELD + "annotations[" + key + "]", key, "annotation"))
                .toList();
    }

    static List<Named> tlsSecrets(Request request) {
        List<Named> secrets = new ArrayList<>();
        request.spec()
                .ingress()
                .ifPresent(
                        ingress -> {
                            for (int entry = 0; entry < ingress.tls().size(); entry++) {
                                String path = FIELD + "tls[" + entry + "].secretName";
                                ingress.tls()
                                        .get(entry)
                                        .secretName()
                                        .map(name -> Named.of(path, name, "Secret"))
                                        .ifPresent(secrets::add);
                            }
                        });
        return secrets;
    }
}
