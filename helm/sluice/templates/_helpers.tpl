{{/* Labels of one component; call with (dict "root" $ "component" "operator"). */}}
{{- define "sluice.labels" -}}
{{ include "sluice.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "sluice.selector" -}}
app.kubernetes.io/name: sluice
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* The name of an object that no namespace holds; call with (dict "root" $ "name" WHAT), where WHAT may be empty. Two releases of the same
     name in two namespaces have different ones: a namespace follows a dot, which the name of neither can have. The namespace that is called
     after the release, as sluice-system is after sluice, is left out. */}}
{{- define "sluice.wide" -}}
{{- list .root.Release.Name .name | compact | join "-" -}}
{{- if ne .root.Release.Namespace (printf "%s-system" .root.Release.Name) }}.{{ .root.Release.Namespace }}{{ end -}}
{{- end }}

{{/* The service account of one process; call with (dict "root" $ "component" "operator"). */}}
{{- define "sluice.account" -}}
{{ (index .root.Values .component).serviceAccount.name | default (printf "%s-%s" .root.Release.Name .component) }}
{{- end }}

{{/* The kinds of Sluice by their plurals. The operator's rights for them are in roles/operator-resources.yaml. */}}
{{- define "sluice.kinds" -}}
flinkdeployments, flinksessionjobs, flinkstatesnapshots, flinkbluegreendeployments
{{- end }}

{{/* The processes that the release has, as a JSON list. */}}
{{- define "sluice.processes" -}}
{{ ternary (list "webhook" "operator" "autoscaler") (list "operator" "autoscaler") .Values.webhook.create | toJson }}
{{- end }}

{{- define "sluice.image" -}}
{{- with (.root.Values.global).imageRegistry }}{{ . }}/{{ end }}{{ .image.repository }}
{{- if .image.digest }}@{{ .image.digest }}{{ else }}:{{ .image.tag | default .root.Chart.AppVersion }}{{ end -}}
{{- end }}

{{/* The namespaces where jobs run, as far as the chart knows them, as a JSON list. */}}
{{- define "sluice.whereJobsRun" -}}
{{ .Values.jobNamespaces | default .Values.watchNamespaces | default (list "default") | toJson }}
{{- end }}

{{/* The namespaces that get an account for Flink's pods, as a JSON list. */}}
{{- define "sluice.jobNamespaces" -}}
{{- if dig "create" true .Values.jobServiceAccount -}}
{{ include "sluice.whereJobsRun" . }}
{{- else -}}
[]
{{- end -}}
{{- end }}

{{/* "true" for a value that is null where tenancy is to decide; call with (dict "root" $ "value" VALUE). */}}
{{- define "sluice.ifShared" -}}
{{- if ternary (eq .root.Values.tenancy "shared") .value (kindIs "invalid" .value) }}true{{ end -}}
{{- end }}

{{/* "true" if callers of metrics and explanations have to say who they are. */}}
{{- define "sluice.authenticates" -}}
{{ include "sluice.ifShared" (dict "root" . "value" .Values.access.authenticate) }}
{{- end }}

{{/* The lines of tenancy: shared, as YAML; empty for single. Ingresses are managed once a host is allowed. */}}
{{- define "sluice.shared" -}}
{{- if eq .Values.tenancy "shared" -}}
{{ .Files.Get "config/shared.yaml" | trim }}
kubernetes.operator.admission.allowed.service-accounts: {{ .Values.jobServiceAccount.name }}
{{- $hosts := false -}}
{{- range $key, $value := include "sluice.configured" . | fromJson }}
{{- if and (hasSuffix "kubernetes.operator.admission.allowed.ingress-hosts" $key) (ne $value "none") }}{{ $hosts = true }}{{ end -}}
{{- end }}
{{- if not $hosts }}
kubernetes.operator.ingress.manage: false
{{- end -}}
{{- end -}}
{{- end }}

{{/* A file of logging without its comments and empty lines; call with its text. */}}
{{- define "sluice.withoutComments" -}}
{{ regexReplaceAll `(?m)^\s*#.*$` (regexReplaceAll `(?s)<!--.*?-->` (toString .) "") "" | trim }}
{{- end }}

{{/* The lines that give Flink's clusters their default logging, as YAML; empty without any. A file of comments alone is none. */}}
{{- define "sluice.flinkLogging" -}}
{{- range $file := list "log4j-console.properties" "logback-console.xml" -}}
{{- $text := get $.Values.defaultConfiguration $file -}}
{{- with include "sluice.withoutComments" $text -}}
{{- if not (contains "appender" .) -}}
{{- fail (printf "defaultConfiguration.%s has no appender, so Flink would log nothing; give the whole file (docs/contract/helm.md)" $file) -}}
{{- end }}
kubernetes.operator.flink-logging.{{ $file }}: {{ toJson $text }}
{{- end -}}
{{- end -}}
{{- end }}

{{/* The line that lets resources use TLS for the REST API of their JobManagers; empty without certificates. */}}
{{- define "sluice.restTls" -}}
{{- if .Values.jobManagerTls.secretName -}}
kubernetes.operator.rest.tls.enabled: true
{{- end -}}
{{- end }}

{{/* What a pod needs for its certificates for JobManagers, as JSON of lists: environment, mounts, volumes. */}}
{{- define "sluice.jobManagerTls" -}}
{{- $parts := dict "environment" list "mounts" list "volumes" list -}}
{{- with .Values.jobManagerTls -}}
{{- if .secretName -}}
{{- $sources := list (dict "secret" (dict "name" .secretName)) -}}
{{- with .passwordSecretKeyRef -}}
{{- if .name -}}
{{- $sources = append $sources (dict "secret" (dict "name" .name "items" (list (dict "key" .key "path" "password")))) -}}
{{- end -}}
{{- end -}}
{{- $environment := list (dict "name" "SLUICE_JOBMANAGER_TLS_DIR" "value" "/opt/sluice/jobmanager-tls") -}}
{{- if not .verifyHostnames -}}
{{- $environment = append $environment (dict "name" "SLUICE_JOBMANAGER_TLS_ANY_HOST" "value" "true") -}}
{{- end -}}
{{- $parts = dict "environment" $environment
  "mounts" (list (dict "name" "jobmanager-tls" "mountPath" "/opt/sluice/jobmanager-tls" "readOnly" true))
  "volumes" (list (dict "name" "jobmanager-tls" "projected" (dict "sources" $sources))) -}}
{{- end -}}
{{- end -}}
{{- toJson $parts -}}
{{- end }}

{{/* The line by which webhook and operator know that Flink's file systems are there. */}}
{{- define "sluice.fileSystems" -}}
{{- if .Values.jarFileSystems.image -}}
kubernetes.operator.user.artifacts.file-systems: http://127.0.0.1:{{ .Values.jarFileSystems.port }}
{{- end -}}
{{- end }}

{{/* The container that reads jars with Flink's file systems beside the operator, as JSON: initContainers, sidecars and volumes. Its program is
     copied from the operator's image, and is run by the Java of Flink's. */}}
{{- define "sluice.jarFileSystems" -}}
{{- $parts := dict "initContainers" list "sidecars" list "volumes" list -}}
{{- $root := . -}}
{{- with .Values.jarFileSystems -}}
{{- if .image -}}
{{- $security := include "sluice.containerSecurity" (dict "root" $root "settings" dict) | fromYaml -}}
{{- $program := dict "name" "file-systems" "mountPath" "/file-systems" -}}
{{- $copy := dict "name" "file-systems-program"
  "image" (include "sluice.image" (dict "root" $root "image" $root.Values.operator.image)) "imagePullPolicy" $root.Values.operator.image.pullPolicy
  "command" (list "/opt/java/bin/java" "-Xmx16m" "-XX:+UseSerialGC" "-cp" "/app/lib/*" "io.sluice.filesystem.Install" "/file-systems")
  "resources" (dict "requests" (dict "cpu" "10m" "memory" "64Mi") "limits" (dict "memory" "128Mi"))
  "securityContext" $security "volumeMounts" (list $program) -}}
{{- $serve := dict "name" "file-systems" "image" .image "imagePullPolicy" .pullPolicy
  "command" (concat (list "java" "-Xmx160m" "-XX:+UseSerialGC" "-XX:+ExitOnOutOfMemoryError" "-cp" "/file-systems/sluice-file-systems.jar:/opt/flink/lib/*" "io.sluice.filesystem.Main" (toString .port)) .plugins)
  "env" (concat (list (dict "name" "FLINK_PLUGINS_DIR" "value" "/tmp/plugins") (dict "name" "FLINK_CONF_DIR" "value" "/file-systems-configuration")) .env)
  "envFrom" .envFrom "resources" .resources "securityContext" $security
  "volumeMounts" (list (merge (dict "readOnly" true) $program) (dict "name" "file-systems-tmp" "mountPath" "/tmp")
    (dict "name" "file-systems-configuration" "mountPath" "/file-systems-configuration" "readOnly" true)
    (dict "name" "file-systems-no-token" "mountPath" "/var/run/secrets/kubernetes.io/serviceaccount" "readOnly" true)) -}}
{{- /* Neither needs the API server, nor gets the operator's token. */ -}}
{{- $_ := set $copy "volumeMounts" (append $copy.volumeMounts (dict "name" "file-systems-no-token" "mountPath" "/var/run/secrets/kubernetes.io/serviceaccount" "readOnly" true)) -}}
{{- $parts = dict "initContainers" (list $copy) "sidecars" (list $serve)
  "volumes" (list (dict "name" "file-systems" "emptyDir" dict) (dict "name" "file-systems-tmp" "emptyDir" dict) (dict "name" "file-systems-no-token" "emptyDir" dict)
    (dict "name" "file-systems-configuration" "configMap" (dict "name" (printf "%s-file-systems" $root.Release.Name)))) -}}
{{- end -}}
{{- end -}}
{{- toJson $parts -}}
{{- end }}

{{/* What the processes will read of the chart's lines for tenancy and of defaultConfiguration, as JSON of dotted keys and texts. */}}
{{- define "sluice.settings" -}}
{{- $settings := dict -}}
{{- include "sluice.flatten" (dict "prefix" "" "tree" (include "sluice.shared" . | fromYaml) "entries" $settings) -}}
{{- range $key, $value := include "sluice.configured" . | fromJson }}{{ $_ := set $settings $key $value }}{{ end -}}
{{- toJson $settings -}}
{{- end }}

{{/* Ports of JobManagers' REST API, as a JSON list. */}}
{{- define "sluice.restPorts" -}}
{{- if .Values.networkPolicy.restPorts -}}
{{- .Values.networkPolicy.restPorts | toJson -}}
{{- else -}}
{{- $ports := list 8081 -}}
{{- range $key, $value := include "sluice.configured" . | fromJson -}}
{{- if or (eq $key "rest.port") (and (hasPrefix "kubernetes.operator.default-configuration." $key) (hasSuffix ".rest.port" $key)) -}}
{{- $ports = append $ports (int $value) -}}
{{- end -}}
{{- end -}}
{{- $ports | uniq | toJson -}}
{{- end -}}
{{- end }}

{{/* What the file that is given in defaultConfiguration says, as JSON of dotted keys and texts, as the processes read it; without empty ones. */}}
{{- define "sluice.configured" -}}
{{- $entries := dict -}}
{{- with get .Values.defaultConfiguration "config.yaml" -}}
{{- $parsed := fromYaml . -}}
{{- with $parsed.Error -}}
{{- fail (printf "defaultConfiguration.config.yaml can't be read: %s" .) -}}
{{- end -}}
{{- include "sluice.flatten" (dict "prefix" "" "tree" $parsed "entries" $entries) -}}
{{- end -}}
{{- range splitList "\n" (get .Values.defaultConfiguration "flink-conf.yaml") -}}
{{- $parts := regexReplaceAll `(^|\s)#.*` . "" | trim | splitn ": " 2 -}}
{{- with $parts._1 | trim -}}
{{- $_ := set $entries (trim $parts._0) . -}}
{{- end -}}
{{- end -}}
{{- toJson $entries -}}
{{- end }}

{{/* Which namespaces are served, and what says so, as text. The same order as the processes': watchNamespaces, the selector, the names of the file. */}}
{{- define "sluice.served" -}}
{{- $configured := include "sluice.configured" . | fromJson -}}
{{- $selector := get $configured "kubernetes.operator.watched.namespaces.selector" -}}
{{- $names := get $configured "kubernetes.operator.watched.namespaces" | replace ";" "," -}}
{{- $listed := list -}}
{{- range splitList "," $names }}{{ with trim . }}{{ if ne . "JOSDK_ALL_NAMESPACES" }}{{ $listed = append $listed (ternary $.Release.Namespace . (eq . "JOSDK_WATCH_CURRENT")) }}{{ end }}{{ end }}{{ end -}}
{{- if .Values.watchNamespaces -}}
the namespaces {{ join ", " .Values.watchNamespaces }}
{{- else if $selector -}}
the namespaces with the labels {{ $selector }} (kubernetes.operator.watched.namespaces.selector); admission checks all namespaces
{{- else if $listed -}}
the namespaces {{ join ", " $listed }} (kubernetes.operator.watched.namespaces); admission checks all namespaces
{{- else -}}
all namespaces
{{- end -}}
{{- end }}

{{/* Puts the values of the Apache operator's chart that differ here into "found", by path, with what to use; prints nothing. Call with (dict
     "path" PATH "value" VALUE "hints" TABLE "found" DICT "unknown" FLAG), where "unknown" says whether a path that no chart has is told too. */}}
{{- define "sluice.apacheValues" -}}
{{- $call := . -}}
{{- $value := .value -}}
{{- $hint := get .hints .path -}}
{{- $above := false -}}
{{- range $path, $_ := .hints }}{{ if hasPrefix (print $call.path ".") $path }}{{ $above = true }}{{ end }}{{ end -}}
{{- $beside := get . "beside" | default dict -}}
{{- if $hint -}}
{{- $said := and (not (kindIs "invalid" $value)) (or (kindIs "bool" $value) $value) -}}
{{- $said = and $said (or (not (kindIs "string" $value)) (include "sluice.withoutComments" $value)) -}}
{{- $fine := or $hint.ours (has (toString $value) ($hint.fine | default list)) (and $hint.unless (not (get $beside $hint.unless))) -}}
{{- if and $said (not $fine) }}{{ $_ := set .found .path $hint.use }}{{ end -}}
{{- else if and (kindIs "map" $value) $above -}}
{{- range $key, $each := $value }}{{ include "sluice.apacheValues" (dict "path" (print $call.path "." $key) "value" $each "beside" $value "hints" $call.hints "found" $call.found "unknown" $call.unknown) }}{{ end -}}
{{- else if and .unknown $value -}}
{{- $_ := set .found .path "nothing: neither chart has it" -}}
{{- end -}}
{{- end }}

{{/* Writes a tree's leaves to "entries", each under its keys with dots between; prints nothing. */}}
{{- define "sluice.flatten" -}}
{{- range $key, $value := .tree -}}
{{- $name := list $.prefix $key | compact | join "." -}}
{{- if kindIs "map" $value -}}
{{- include "sluice.flatten" (dict "prefix" $name "tree" $value "entries" $.entries) -}}
{{- else if kindIs "slice" $value -}}
{{- with join ";" $value }}{{ $_ := set $.entries $name . }}{{ end -}}
{{- else if not (kindIs "invalid" $value) -}}
{{- with toString $value | trim }}{{ $_ := set $.entries $name . }}{{ end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* What every process is told by its environment. */}}
{{- define "sluice.environment" -}}
- name: SLUICE_NAMESPACE
  valueFrom: {fieldRef: {fieldPath: metadata.namespace}}
- name: POD_NAME
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
- name: SLUICE_WATCH_NAMESPACES
  value: {{ join "," .Values.watchNamespaces | quote }}
- name: SLUICE_CONFIG_DIR
  value: /opt/sluice/conf
- name: SLUICE_LOG_FORMAT
  value: {{ .Values.log.format }}
- name: SLUICE_LOG_LEVEL
  value: {{ .Values.log.level }}
{{- if include "sluice.authenticates" . }}
- name: SLUICE_AUTHENTICATE
  value: "true"
{{- with .Values.access.audience }}
- name: SLUICE_TOKEN_AUDIENCE
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* "true" for a component that runs plugins, if there are any; call with (dict "root" $ "component" NAME). */}}
{{- define "sluice.hasPlugins" -}}
{{- and (ne .component "autoscaler") (not (empty .root.Values.plugins.volume)) -}}
{{- end }}

{{/* The security context of a container; call with (dict "root" $ "settings" .Values.NAME). A field of the process goes before the common one,
     and null takes it away. */}}
{{- define "sluice.containerSecurity" -}}
{{- $context := deepCopy .root.Values.containerSecurityContext -}}
{{- range $field, $value := .settings.securityContext -}}
{{- if kindIs "invalid" $value }}{{ $_ := unset $context $field }}{{ else }}{{ $_ := set $context $field $value }}{{ end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end }}

{{/* The pod of one component; call with (dict "root" $ "component" NAME "settings" .Values.NAME "environment" LIST "ports" LIST). */}}
{{- define "sluice.pod" -}}
{{- $plugs := include "sluice.hasPlugins" . | eq "true" -}}
metadata:
  labels:
    {{- include "sluice.labels" . | nindent 4 }}
    {{- with .settings.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .settings.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "sluice.account" . }}
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- with .settings.priorityClassName | default (ternary (include "sluice.wide" (dict "root" .root "name" "")) "" .root.Values.priorityClass.create) }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- if .settings.hostNetwork }}
  hostNetwork: true
  {{- end }}
  {{- with .settings.dnsPolicy | default (ternary "ClusterFirstWithHostNet" "" (dig "hostNetwork" false .settings)) }}
  dnsPolicy: {{ . }}
  {{- end }}
  {{- with .settings.dnsConfig }}
  dnsConfig: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- range $field := list "nodeSelector" "affinity" "tolerations" }}
  {{- with index $.settings $field }}
  {{ $field }}: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
  securityContext: {{ toYaml .root.Values.podSecurityContext | nindent 4 }}
  topologySpreadConstraints:
    {{- with .settings.topologySpreadConstraints }}
    {{- toYaml . | nindent 4 }}
    {{- else }}
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "sluice.selector" . | nindent 10 }}
    {{- end }}
  terminationGracePeriodSeconds: 20
  {{- with concat (ternary .root.Values.plugins.initContainers list $plugs) (.settings.initContainers | default list) }}
  initContainers: {{ toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .component }}
      image: {{ include "sluice.image" (dict "root" .root "image" .settings.image) }}
      imagePullPolicy: {{ .settings.image.pullPolicy }}
      env:
        {{- include "sluice.environment" .root | nindent 8 }}
        {{- range concat .environment (.settings.env | default list) }}
        - {{ toYaml . | nindent 10 | trim }}
        {{- end }}
      {{- with .settings.envFrom }}
      envFrom: {{ toYaml . | nindent 8 }}
      {{- end }}
      ports:
        - {name: http, containerPort: {{ .settings.managementPort | default 8080 }}}
        {{- range .ports }}
        - {{ toYaml . | nindent 10 | trim }}
        {{- end }}
      startupProbe:
        httpGet: {path: /healthz, port: http}
        periodSeconds: 1
        failureThreshold: 120
      readinessProbe:
        httpGet: {path: /readyz, port: http}
        periodSeconds: 2
        timeoutSeconds: 5
      livenessProbe:
        httpGet: {path: /healthz, port: http}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      resources: {{ toYaml .settings.resources | nindent 8 }}
      securityContext: {{ include "sluice.containerSecurity" . | nindent 8 }}
      {{- with .settings.lifecycle }}
      lifecycle: {{ toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - {name: tmp, mountPath: /tmp}
        - {name: configuration, mountPath: /opt/sluice/conf, readOnly: true}
        {{- if $plugs }}
        - {name: plugins, mountPath: /opt/sluice/plugins, readOnly: true}
        {{- end }}
        {{- range concat (.mounts | default list) (.settings.volumeMounts | default list) }}
        - {{ toYaml . | nindent 10 | trim }}
        {{- end }}
    {{- with .settings.sidecars }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    - name: configuration
      configMap:
        name: {{ .root.Release.Name }}-configuration
    {{- if $plugs }}
    - {{ merge (dict "name" "plugins") .root.Values.plugins.volume | toYaml | nindent 6 | trim }}
    {{- end }}
    {{- range concat (.volumes | default list) (.settings.volumes | default list) }}
    - {{ toYaml . | nindent 6 | trim }}
    {{- end }}
{{- end }}

{{/* Rights in every served namespace: cluster-wide, or a Role each; call with (dict "root" $ "component" NAME "rules" YAML). */}}
{{- define "sluice.rights" -}}
{{- $name := printf "%s-%s" .root.Release.Name .component -}}
{{- $wide := include "sluice.wide" (dict "root" .root "name" .component) -}}
{{- $account := include "sluice.account" . -}}
{{- $call := . -}}
{{- if not .root.Values.rbac.create }}
{{- else if .root.Values.watchNamespaces }}
{{- range .root.Values.watchNamespaces }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: {{ $name }}
  namespace: {{ . }}
  labels:
    {{- include "sluice.labels" $call | nindent 4 }}
rules:
  {{- $call.rules | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: {{ $name }}
  namespace: {{ . }}
  labels:
    {{- include "sluice.labels" $call | nindent 4 }}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: {{ $name }}}
subjects:
  - {kind: ServiceAccount, name: {{ $account }}, namespace: {{ $call.root.Release.Namespace }}}
{{- end }}
{{- else }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ $wide }}
  labels:
    {{- include "sluice.labels" . | nindent 4 }}
rules:
  {{- .rules | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ $wide }}
  labels:
    {{- include "sluice.labels" . | nindent 4 }}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: {{ $wide }}}
subjects:
  - {kind: ServiceAccount, name: {{ $account }}, namespace: {{ .root.Release.Namespace }}}
{{- end }}
{{- with .settings.serviceAccount }}
{{- if .create }}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $account }}
  namespace: {{ $call.root.Release.Namespace }}
  labels:
    {{- include "sluice.labels" $call | nindent 4 }}
    {{- with .labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .annotations }}
  annotations: {{ toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- end }}
{{- end }}
