{{- /* The parts that the pods of the chart share. What each may do: the Pod Security Standard "restricted". */ -}}
{{- define "dragoman.podRights" -}}
serviceAccountName: {{ include "dragoman.serviceAccount" . }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "dragoman.container" -}}
image: {{ include "dragoman.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{- define "dragoman.env" -}}
{{- if not (hasKey .Values.env "NODE_OPTIONS") }}
# Of resources.limits.memory, or of the node's memory without a limit.
- { name: NODE_OPTIONS, value: "--max-old-space-size-percentage=65" }
{{- end }}
{{- range $name, $value := .Values.env }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end -}}

{{- define "dragoman.volumeMounts" -}}
- { name: home, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- range $name, $_ := .Values.files }}
- { name: files, mountPath: {{ printf "/data/%s" $name | quote }}, subPath: {{ $name | quote }}, readOnly: true }
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "dragoman.volumes" -}}
# Everything that must last is in PostgreSQL.
- { name: home, emptyDir: {} }
- { name: tmp, emptyDir: {} }
{{- if .Values.files }}
- { name: files, configMap: { name: {{ include "dragoman.fullname" . }} } }
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "dragoman.placement" -}}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
