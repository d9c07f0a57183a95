import { existsSync } from 'node:fs'

import { limitScript, processLimitScript, type CommandLimits } from './resource-limits.ts'
import type { IdentifiedFolder } from './mount-plan.ts'

/** Other shells cannot close descriptors above 9. Those that the server inherited lead nowhere by now. */
const BASH = '/bin/bash'

/** How a sandbox ends in which nothing was run, for a folder was replaced. */
export const FOLDER_REPLACED_EXIT_CODE = 125

/**
 * What runs first in a sandbox: `sh -c ENTER sh FILE GIT CWD ID IDS MOUNTED PATH… -- PROGRAM ARGS…`. The folders were
 * mounted by their names, so each is compared with the one that the server holds open: a mount must stand at its path,
 * with the same device and inode. Where one was replaced meanwhile, nothing is run. IDS and MOUNTED have a line for
 * each PATH. FILE gets the user's own settings of git, as GIT has them.
 */
const ENTER_SCRIPT = `searched=$PATH
PATH=/usr/bin:/bin:/run/current-system/sw/bin
export GIT_CONFIG_GLOBAL="$1"
printf %s "$2" >"$1"
shift 2
refuse() {
  echo 'A folder was replaced before the command began. Nothing was run; try again.' >&2
  exit ${FOLDER_REPLACED_EXIT_CODE}
}
cd -- "$1" && [ "$(stat -c %d:%i .)" = "$2" ] || refuse
shift 2
mounts='
'
while read -r _ _ _ _ at _; do mounts="$mounts$at
"; done </proc/self/mountinfo
while read -r at; do case "$at" in ?*) case "$mounts" in *"
$at
"*) ;; *) refuse ;; esac ;; esac; done <<END
$2
END
paths() {
  for each in "$@"; do
    [ "$each" != -- ] || return 0
    printf '%s\\0' "$each"
  done
}
ids=$1
shift 2
[ -z "$ids" ] || [ "$(paths "$@" | xargs -0 stat -c %d:%i --)" = "$ids" ] || refuse
while [ "$1" != -- ]; do shift; done
shift
PATH=$searched
export TMPDIR=/tmp
[ -z "$BASH_VERSION" ] || for each in /proc/self/fd/*; do
  each=\${each##*/}
  [ "$each" -le 2 ] || eval "exec $each<&-"
done`

/** What builds the sandbox may be faster than the server lowers its priority, so that is done once more. */
const LOWER_SCRIPT = 'PATH=/usr/bin:/bin:/run/current-system/sw/bin renice -n 19 -p $$ >/dev/null 2>&1\n'

type EnterOptions = {
  readonly cwd: IdentifiedFolder
  readonly checked: readonly IdentifiedFolder[]
  readonly limits: CommandLimits
  readonly priority: 'normal' | undefined
  readonly git: { readonly file: string; readonly settings: string }
}

/** What goes before a program's own words in a sandbox. */
export function enterSandboxArgs({ cwd, checked, limits, git, priority }: EnterOptions): readonly string[] {
  const lower = priority === 'normal' ? '' : LOWER_SCRIPT
  const script = `${lower}${ENTER_SCRIPT}\n${processLimitScript(limits)}\n${limitScript(limits)}\nexec "$@"`
  const lines = (each: (folder: IdentifiedFolder) => string): string => checked.map(each).join('\n')
  return [
    // As POSIX has it, the limit of a file is counted in 512 bytes.
    ...(existsSync(BASH) ? [BASH, '--posix'] : ['/bin/sh']),
    '-c',
    script,
    'sh',
    git.file,
    git.settings,
    cwd.path,
    cwd.id,
    lines(({ id }) => id),
    lines(({ path }) => escapeMountPath(path)),
    ...checked.map(({ path }) => path),
    '--',
  ]
}

/** A path as the kernel writes it in `mountinfo`. */
function escapeMountPath(path: string): string {
  return path.replace(/[ \t\n\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)
}
