// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.tenancy;

import io.sluice.api.json.FieldProblem;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.AdmissionOptions;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.pattern.AllowList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What the operator makes for whoever may write a FlinkDeployment, though they could not make it
 * themselves, and the option by which a platform team says how much of it they may have.
 */
public enum Grant {
    INGRESS_HOST(
            "ingress-host-allowed",
            AdmissionOptions.ALLOWED_INGRESS_HOSTS,
            "spec.ingress.template, spec.ingress.tls",
            "An Ingress receives the requests of its host, which may belong to somebody else.",
            IngressNames::hosts),
    INGRESS_CLASS(
            "ingress-class-allowed",
            AdmissionOptions.ALLOWED_INGRESS_CLASSES,
            "spec.ingress.className",
            "The class decides from which network a JobManager can be reached, and whoever reaches"
                    + " it can run code.",
            IngressNames::classes),
    INGRESS_ANNOTATION(
            "ingress-annotation-allowed",
            AdmissionOptions.ALLOWED_INGRESS_ANNOTATIONS,
            "spec.ingress.annotations",
            "Annotations configure the ingress controller, which also serves other users.",
            IngressNames::annotations),
    INGRESS_TLS_SECRET(
            "ingress-tls-secret-allowed",
            AdmissionOptions.ALLOWED_INGRESS_TLS_SECRETS,
            "spec.ingress.tls",
            "The ingress controller reads the Secret with the certificate for everybody who names"
                    + " it.",
            IngressNames::tlsSecrets),
    SERVICE_TYPE(
            "service-type-allowed",
            AdmissionOptions.ALLOWED_SERVICE_TYPES,
            "spec.flinkConfiguration",
            "A NodePort or LoadBalancer makes a JobManager reachable from outside of the Kubernetes"
                    + " cluster, and whoever reaches it can run code.",
            request ->
                    OptionNames.values(
                                    request, "Service type", FlinkOptions.REST_SERVICE_TYPE.key())
                            .toList()),
    SERVICE_ANNOTATION(
            "service-annotation-allowed",
            AdmissionOptions.ALLOWED_SERVICE_ANNOTATIONS,
            "spec.flinkConfiguration",
            "Annotations of a Service configure load balancers and DNS.",
            request ->
                    Stream.of(
                                    "kubernetes.rest-service.annotations",
                                    "kubernetes.internal-service.annotations")
                            .flatMap(key -> OptionNames.keys(request, "annotation", key))
                            .toList()),
    SERVICE_ACCOUNT(
            "service-account-allowed",
            AdmissionOptions.ALLOWED_SERVICE_ACCOUNTS,
            "spec.serviceAccount",
            "A job has the token of its service account, and with it the account's rights.",
            Grant::serviceAccounts),
    POD_ANNOTATION(
            "pod-annotation-allowed",
            AdmissionOptions.ALLOWED_POD_ANNOTATIONS,
            "spec.podTemplate",
            "Annotations of a pod can attach it to networks, give it an identity at a cloud"
                    + " provider, or take it out of a service mesh.",
            request ->
                    Stream.concat(
                                    PodNames.metadata(request, "annotations", "annotation"),
                                    ofBoth(request, "annotations", "annotation"))
                            .toList()),
    POD_LABEL(
            "pod-label-allowed",
            AdmissionOptions.ALLOWED_POD_LABELS,
            "spec.podTemplate",
            "Labels can make a pod an endpoint of somebody else's Service, or let it pass a"
                    + " NetworkPolicy.",
            request ->
                    Stream.concat(
                                    PodNames.metadata(request, "labels", "label"),
                                    ofBoth(request, "labels", "label"))
                            .toList()),
    PRIORITY_CLASS(
            "priority-class-allowed",
            AdmissionOptions.ALLOWED_PRIORITY_CLASSES,
            "spec.podTemplate",
            "A pod with a higher priority can cause the eviction of others' pods.",
            request -> PodNames.fields(request, "PriorityClass", "priorityClassName").toList()),
    RUNTIME_CLASS(
            "runtime-class-allowed",
            AdmissionOptions.ALLOWED_RUNTIME_CLASSES,
            "spec.podTemplate",
            "A runtime class may lack the sandbox that isolates a pod from its node.",
            request -> PodNames.fields(request, "RuntimeClass", "runtimeClassName").toList()),
    TOLERATION(
            "toleration-allowed",
            AdmissionOptions.ALLOWED_TOLERATIONS,
            "spec.podTemplate",
            "Taints keep pods away from the nodes of the control plane and of other users.",
            Grant::taints),
    SECRET(
            "secret-allowed",
            AdmissionOptions.ALLOWED_SECRETS,
            "spec.podTemplate",
            "A job can read every Secret of the namespace that its pods name.",
            Grant::secrets),
    VOLUME_CLAIM(
            "volume-claim-allowed",
            AdmissionOptions.ALLOWED_VOLUME_CLAIMS,
            "spec.podTemplate",
            "A job can read and write every volume claim of the namespace that its pods name.",
            request ->
                    PodNames.volumes(
                                    request,
                                    "persistentVolumeClaim",
                                    "claimName",
                                    "PersistentVolumeClaim")
                            .toList()),
    CSI_DRIVER(
            "csi-driver-allowed",
            AdmissionOptions.ALLOWED_CSI_DRIVERS,
            "spec.podTemplate",
            "A CSI driver mounts whatever the attributes of a volume name, with the driver's own"
                    + " rights.",
            request -> PodNames.volumes(request, "csi", "driver", "CSI driver").toList());

    /** Those of {@code spec.ingress}, which the operator follows apart from the cluster. */
    public static final List<Grant> OF_INGRESSES =
            List.of(INGRESS_HOST, INGRESS_CLASS, INGRESS_ANNOTATION, INGRESS_TLS_SECRET);

    private static final String SECRETS = "Secret";

    private final String rule;
    private final Option<List<String>> option;
    private final String field;
    private final String why;
    private final Function<Request, List<Named>> names;

    Grant(
            String rule,
            Option<List<String>> option,
            String field,
            String why,
            Function<Request, List<Named>> names) {
        this.rule = rule;
        this.option = option;
        this.field = field;
        this.why = why;
        this.names = names;
    }

    /** The id of its rule. */
    public String rule() {
        return rule;
    }

    /** The option that lists what is allowed. */
    public String key() {
        return option.key();
    }

    /** Where its problems point, for the reference. */
    public String field() {
        return field;
    }

    /** What goes wrong without it. */
    public String why() {
        return why + " " + key() + " lists what is allowed, for all or for a namespace.";
    }

    /** Everything of this kind that {@code request} names and may not have. */
    public List<FieldProblem> objections(Request request, Options granted) {
        if (!granted.isSet(option)) {
            return List.of(); // by default all are allowed
        }
        AllowList allowed = AllowList.of(key(), granted.get(option), request.names());
        return allowed.allowsEverything()
                ? List.of()
                : names.apply(request).stream()
                        .filter(named -> !allowed.allows(named.value()))
                        .map(
                                named ->
                                        new FieldProblem(
                                                named.path(),
                                                named.value(),
                                                named.problem() + "; " + allowed.advice()))
                        .toList();
    }

    private static Stream<Named> ofBoth(Request request, String end, String kind) {
        return Stream.of("kubernetes.jobmanager.", "kubernetes.taskmanager.")
                .flatMap(component -> OptionNames.keys(request, kind, component + end));
    }

    private static List<Named> serviceAccounts(Request request) {
        String kind = "service account";
        Stream<Named> field =
                request.spec().serviceAccount().stream()
                        .map(name -> Named.of("spec.serviceAccount", name, kind));
        Stream<Named> options =
                OptionNames.values(
                        request,
                        kind,
                        "kubernetes.service-account",
                        "kubernetes.jobmanager.service-account",
                        "kubernetes.taskmanager.service-account");
        Stream<Named> templates =
                PodNames.fields(request, kind, "serviceAccountName", "serviceAccount");
        return Stream.of(field, options, templates).flatMap(each -> each).toList();
    }

    private static List<Named> taints(Request request) {
        Stream<Named> options =
                Stream.of("kubernetes.jobmanager.tolerations", "kubernetes.taskmanager.tolerations")
                        .flatMap(key -> OptionNames.fields(request, "taint", key, "key"));
        return Stream.concat(PodNames.taints(request), options).toList();
    }

    private static List<Named> secrets(Request request) {
        Stream<Named> options =
                Stream.of(
                                OptionNames.keys(request, SECRETS, "kubernetes.secrets"),
                                OptionNames.fields(
                                        request, SECRETS, "kubernetes.env.secretKeyRef", "secret"),
                                OptionNames.elements(
                                        request,
                                        SECRETS,
                                        "kubernetes.container.image.pull-secrets"))
                        .flatMap(each -> each);
        return Stream.concat(PodNames.secrets(request), options).toList();
    }
}
