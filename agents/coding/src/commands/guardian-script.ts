/** Variables by which the processes of a command are known. */
export const COMMAND_MARK = 'DRAGOMAN_COMMAND'
export const GUARDIAN_MARK = 'DRAGOMAN_GUARDIAN'

/**
 * The script that becomes the command: `/bin/sh -c GUARDED_SCRIPT sh PROGRAM ARGS…`. Its mark is in the environment,
 * and descriptor 3 is a pipe to the server. First it starts a guardian in the same process group.
 *
 * A line in the pipe dismisses the guardian. If the pipe closes without a line, because the server was killed, the
 * guardian kills all processes with the mark and then its group. The guardian is a grandchild, so that the program does
 * not wait for it. Output and errors share one pipe to keep their order. A machine without memory ends the command, and
 * not the server.
 */
export const GUARDIAN_SCRIPT = `exec 2>&1
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
{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null
${COMMAND_MARK}=$${GUARDIAN_MARK}
export ${COMMAND_MARK}
unset ${GUARDIAN_MARK}
exec "$@"`
