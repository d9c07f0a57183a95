/** Variables by which the processes of a command are known. */
export const COMMAND_MARK = 'DRAGOMAN_COMMAND'
export const GUARDIAN_MARK = 'DRAGOMAN_GUARDIAN'

/**
 * What becomes the command: `/bin/sh -c GUARDED sh PROGRAM ARGS…`, its mark in the environment and, at descriptor 3, a pipe whose other end
 * the server holds. Before that it leaves a guardian behind, in the same group: told a line, that one goes; when the pipe closes without
 * one, as when the server is killed, it kills what bears the mark and then the group, itself among it. It is nobody's child, so that no
 * program waits for it. Output and errors share one pipe: they come in the order in which they were written.
 */
export const GUARDED_SCRIPT = `exec 2>&1
( (
  trap '' HUP INT TERM
  exec </dev/null >/dev/null 2>&1
  cd /
  PATH=/usr/bin:/bin:$PATH
  read -r _ <&3 && exit
  for round in 1 2 3 4 5; do
    for one in $(grep -ls "${COMMAND_MARK}=$${GUARDIAN_MARK}" /proc/[0-9]*/environ); do
      one=\${one#/proc/}
      kill -KILL "\${one%/environ}"
    done
  done
  kill -KILL 0
) & )
exec 3<&-
${COMMAND_MARK}=$${GUARDIAN_MARK}
export ${COMMAND_MARK}
unset ${GUARDIAN_MARK}
exec "$@"`
