// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.pod;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.rules.pod.PodSecurity.Node;
import java.util.List;
import java.util.Set;

/** The standard {@code baseline}: no known way out of the container. */
final class Baseline {
    private static final List<String> HOST_NAMESPACES =
            List.of("hostNetwork", "hostPID", "hostIPC");

    private static final Set<String> CAPABILITIES =
            Set.of(
                    "AUDIT_WRITE",
                    "CHOWN",
                    "DAC_OVERRIDE",
                    "FOWNER",
                    "FSETID",
                    "KILL",
                    "MKNOD",
                    "NET_BIND_SERVICE",
                    "SETFCAP",
                    "SETGID",
                    "SETPCAP",
                    "SETUID",
                    "SYS_CHROOT");

    private static final Set<String> SELINUX_TYPES =
            Set.of("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t");

    private static final Set<String> SYSCTLS =
            Set.of(
                    "kernel.shm_rmid_forced",
                    "net.ipv4.ip_local_port_range",
                    "net.ipv4.ip_local_reserved_ports",
                    "net.ipv4.ip_unprivileged_port_start",
                    "net.ipv4.ping_group_range",
                    "net.ipv4.tcp_fin_timeout",
                    "net.ipv4.tcp_keepalive_intvl",
                    "net.ipv4.tcp_keepalive_probes",
                    "net.ipv4.tcp_keepalive_time",
                    "net.ipv4.tcp_rmem",
                    "net.ipv4.tcp_syncookies",
                    "net.ipv4.tcp_wmem");

    private Baseline() {}

    static void pod(Node pod, JsonNode annotations, String template) {
        for (String field : HOST_NAMESPACES) {
            pod.at(field)
                    .refuseIf(pod.at(field).isTrue(), "uses a namespace of the node; remove it");
        }
        for (JsonNode volume : pod.json().path("volumes")) {
            Node named =
                    new Node(
                            volume,
                            pod.path() + ".volumes[" + volume.path("name").asText("?") + "]",
                            pod.problems());
            named.at("hostPath")
                    .refuseIf(
                            volume.path("hostPath").isObject(),
                            "mounts a part of the node; use another kind of volume");
        }
        Node security = pod.at("securityContext");
        shared(security);
        for (JsonNode sysctl : security.json().path("sysctls")) {
            String name = sysctl.path("name").asText("");
            new Node(
                            sysctl.path("name"),
                            security.path() + ".sysctls[" + name + "]",
                            pod.problems())
                    .refuseIf(!SYSCTLS.contains(name), "is not a safe sysctl; remove it");
        }
        annotations
                .properties()
                .forEach(
                        entry ->
                                new Node(
                                                entry.getValue(),
                                                template
                                                        + ".metadata.annotations["
                                                        + entry.getKey()
                                                        + "]",
                                                pod.problems())
                                        .refuseIf(
                                                isUnconfined(entry.getKey(), entry.getValue()),
                                                "turns AppArmor off; remove it"));
    }

    static void container(Node container) {
        Node security = container.at("securityContext");
        shared(security);
        Node privileged = security.at("privileged");
        privileged.refuseIf(privileged.isTrue(), "gives root rights on the node; remove it");
        Node procMount = security.at("procMount");
        procMount.refuseIf(
                !procMount.text().isEmpty() && !procMount.text().equals("Default"),
                "shows all of /proc; remove it");
        Node capabilities = security.at("capabilities").at("add");
        for (JsonNode added : capabilities.json()) {
            new Node(added, capabilities.path(), container.problems())
                    .refuseIf(
                            !CAPABILITIES.contains(added.asText()),
                            "is not a capability that containers have by default; remove it");
        }
        for (JsonNode port : container.json().path("ports")) {
            Node hostPort =
                    new Node(
                            port.path("hostPort"),
                            container.path() + ".ports.hostPort",
                            container.problems());
            hostPort.refuseIf(
                    port.path("hostPort").asInt(0) != 0, "uses a port of the node; use a Service");
        }
    }

    /** What pods and containers say in the same words. */
    private static void shared(Node security) {
        Node seccomp = security.at("seccompProfile").at("type");
        seccomp.refuseIf(
                seccomp.text().equals("Unconfined"), "turns seccomp off; use RuntimeDefault");
        Node appArmor = security.at("appArmorProfile").at("type");
        appArmor.refuseIf(
                appArmor.text().equals("Unconfined"), "turns AppArmor off; use RuntimeDefault");
        Node windows = security.at("windowsOptions").at("hostProcess");
        windows.refuseIf(windows.isTrue(), "runs on the node itself; remove it");
        Node selinux = security.at("seLinuxOptions");
        selinux.at("type")
                .refuseIf(
                        !SELINUX_TYPES.contains(selinux.at("type").text()),
                        "is not an SELinux type of containers; remove it");
        for (String field : List.of("user", "role")) {
            selinux.at(field)
                    .refuseIf(
                            !selinux.at(field).text().isEmpty(),
                            "changes the SELinux identity; remove it");
        }
    }

    static boolean allows(String capability) {
        return CAPABILITIES.contains(capability);
    }

    private static boolean isUnconfined(String annotation, JsonNode value) {
        return annotation.startsWith("container.apparmor.security.beta.kubernetes.io/")
                && value.asText("").equals("unconfined");
    }
}
