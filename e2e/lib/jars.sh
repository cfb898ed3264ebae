# A web server in $namespace with the examples' jar.

jars_host() { echo "jars.$namespace.svc.cluster.local"; }

# jars_uri: of the jar, pinned
jars_uri() {
    local jar=$root/examples/jobs/target/sluice-examples.jar
    [ -r "$jar" ] || fail "$jar is missing: run images/build examples"
    echo "http://$(jars_host)/sluice-examples.jar#sha256=$(sha256sum "$jar" | cut -c1-64)"
}
# jars_allowed: lines for the chart's config.yaml with which the operator fetches jars there
jars_allowed() {
    echo "    kubernetes.operator.user.artifacts.allowed-schemes: http;https"
    echo "    kubernetes.operator.user.artifacts.allowed-hosts: $(jars_host)"
}
# jars_served IMAGE: starts it, with the jar of that image
jars_served() {
    kubectl delete pod jars -n "$namespace" --ignore-not-found >/dev/null
    sed "s#EXAMPLES#$1#; s#JAVA#${image[operator]}#" "$root/e2e/lib/jars.yaml" | kubectl apply -f - >/dev/null
    within 60 "the web server" jars_server_is_ready
}
jars_server_is_ready() { [ "$(kubectl get pod jars -n "$namespace" -o 'jsonpath={.status.containerStatuses[0].ready}')" = true ]; }
jars_gone() { kubectl delete pod/jars service/jars -n "$namespace" --wait=false >/dev/null; }
