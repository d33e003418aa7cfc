{{- define "pompa.labels" -}}
app.kubernetes.io/name: pompa
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* Whether there is the embedded PostgreSQL: no other database, and no server that is followed instead of one. */ -}}
{{- define "pompa.isEmbedded" -}}
{{- if not (or .Values.database.secretName .Values.settings.FOLLOW_URL) }}true{{ end }}
{{- end }}

{{- /* Refuses values that are each valid and do not fit together. */ -}}
{{- define "pompa.check" -}}
{{- if and (gt (int .Values.replicas) 1) (include "pompa.isEmbedded" .) }}
{{- fail "replicas above 1 need database.secretName or settings.FOLLOW_URL: the embedded PostgreSQL belongs to one pod" }}
{{- end }}
{{- if .Values.settings.STOP_DELAY }}
{{- fail "settings.STOP_DELAY belongs to the chart: set stopDelaySeconds" }}
{{- end }}
{{- if and .Values.backups.enabled .Values.settings.FOLLOW_URL (not .Values.database.secretName) }}
{{- fail "backups.enabled needs a database: a server that follows another one has none" }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.settings.TRUSTED_PROXIES) }}
{{- fail "ingress.enabled needs settings.TRUSTED_PROXIES, the addresses of the ingress controller's pods: without it all visitors share the limits of one client" }}
{{- end }}
{{- if or .Values.settings.METRICS_PORT .Values.settings.METRICS_HOST }}
{{- fail "settings.METRICS_PORT and settings.METRICS_HOST belong to the chart: set metrics.enabled and metrics.port" }}
{{- end }}
{{- if and .Values.metrics.podMonitor.enabled (not .Values.metrics.enabled) }}
{{- fail "metrics.podMonitor.enabled needs metrics.enabled" }}
{{- end }}
{{- if and .Values.backups.enabled .Values.settings.BACKUP_DIR }}
{{- fail "settings.BACKUP_DIR is the chart's own with backups.enabled: leave it out" }}
{{- end }}
{{- if and .Values.settings.BACKUP_COMMAND (not .Values.backups.enabled) (not .Values.settings.BACKUP_DIR) }}
{{- fail "settings.BACKUP_COMMAND needs backups.enabled" }}
{{- end }}
{{- end }}

{{- define "pompa.container" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources:
  {{- toYaml .Values.resources | nindent 2 }}
{{- end }}

{{- /* A pod: .command is serve or worker, .data the volume that is mounted at DATA_DIR, .root the chart's own dot. */ -}}
{{- define "pompa.pod" -}}
{{- $works := or (eq .command "worker") (include "pompa.isEmbedded" .root) }}
{{- /* The only pod of an embedded database is exchanged for one that starts after its end: a delay would be an outage. */}}
{{- $stopDelay := ternary (int .root.Values.stopDelaySeconds) 0 (and (eq .command "serve") (not (include "pompa.isEmbedded" .root))) }}
{{- $backsUp := and $works .root.Values.backups.enabled }}
metadata:
  labels:
    {{- include "pompa.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .command }}
  {{- with .root.Values.metrics }}
  {{- if and .enabled (not .podMonitor.enabled) }}
  annotations:
    prometheus.io/scrape: 'true'
    prometheus.io/port: {{ .port | quote }}
    prometheus.io/path: /metrics
  {{- end }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  # Without it the cluster adds variables for every service of the namespace.
  enableServiceLinks: false
  # A publication under way is finished.
  terminationGracePeriodSeconds: {{ add 120 $stopDelay }}
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- if $backsUp }}
  initContainers:
    # The group may write to the root of a volume; to backups, their owner alone.
    - name: backups
      {{- include "pompa.container" .root | nindent 6 }}
      command: [sh, -c, mkdir -p /backups/pompa && chmod 0700 /backups/pompa]
      volumeMounts:
        - name: backups
          mountPath: /backups
  {{- end }}
  containers:
    - name: pompa
      {{- include "pompa.container" .root | nindent 6 }}
      args: [{{ .command }}]
      env:
        - name: DATA_DIR
          value: /data
        {{- if $stopDelay }}
        # Until no proxy of the cluster sends a connection here any more.
        - name: STOP_DELAY
          value: {{ $stopDelay | quote }}
        {{- end }}
        {{- if $works }}
        # Backups are restored there for a check; a pod that fills /tmp is evicted.
        - name: TMPDIR
          value: /data/tmp
        {{- end }}
        {{- if $backsUp }}
        - name: BACKUP_DIR
          value: /backups/pompa
        {{- end }}
        {{- if .root.Values.metrics.enabled }}
        - name: METRICS_HOST
          value: 0.0.0.0
        - name: METRICS_PORT
          value: {{ .root.Values.metrics.port | quote }}
        {{- end }}
        {{- if and .root.Values.ingress.enabled (not .root.Values.settings.PUBLIC_URL) }}
        - name: PUBLIC_URL
          value: {{ printf "https://%s" .root.Values.ingress.host | quote }}
        {{- end }}
        {{- range $name, $value := .root.Values.settings }}
        {{- if or $works (not (hasPrefix "BACKUP_" $name)) }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
        {{- end }}
        {{- if and .root.Values.secretSettings (not $works) }}
        # Empty = unset, whatever the Secret has: no process starts with a command that takes backups away and no folder.
        - name: BACKUP_DIR
          value: ''
        - name: BACKUP_COMMAND
          value: ''
        {{- end }}
        {{- with .root.Values.database }}
        {{- if .secretName }}
        - name: DATABASE_URL
          valueFrom:
            secretKeyRef:
              name: {{ .secretName }}
              key: {{ .key }}
        {{- end }}
        {{- end }}
      {{- with .root.Values.secretSettings }}
      envFrom:
        - secretRef:
            name: {{ . }}
      {{- end }}
      {{- $isServing := eq .command "serve" }}
      {{- if or $isServing .root.Values.metrics.enabled }}
      ports:
        {{- if $isServing }}
        - name: http
          containerPort: 8080
        {{- end }}
        {{- if .root.Values.metrics.enabled }}
        - name: metrics
          containerPort: {{ .root.Values.metrics.port }}
        {{- end }}
      {{- end }}
      {{- if $isServing }}
      # Both ask whether the process answers. /api/v1/health is 503 while prices are too old, and a restart makes none newer.
      startupProbe:
        httpGet:
          path: /livez
          port: http
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet:
          path: /livez
          port: http
        periodSeconds: 15
        timeoutSeconds: 5
        failureThreshold: 4
      readinessProbe:
        httpGet:
          path: /readyz
          port: http
        periodSeconds: 5
        timeoutSeconds: 5
      {{- end }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: temporary
          mountPath: /tmp
        {{- if $backsUp }}
        - name: backups
          mountPath: /backups
        {{- end }}
  volumes:
    {{- if $backsUp }}
    - name: backups
      persistentVolumeClaim:
        claimName: {{ .root.Release.Name }}-backups
    {{- end }}
    - name: data
      {{- if eq .data "claim" }}
      persistentVolumeClaim:
        claimName: {{ .root.Release.Name }}-data
      {{- else }}
      emptyDir: {}
      {{- end }}
    - name: temporary
      emptyDir:
        sizeLimit: 2Gi
{{- end }}
