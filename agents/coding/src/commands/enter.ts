import { limiting, limitingProcesses, type CommandLimits } from './resource-limits.ts'
import type { KnownFolder } from './mounts.ts'

/** How a sandbox ends in which nothing was run, for a folder was replaced. */
export const REPLACED = 125

/**
 * What runs first in a sandbox: `sh -c ENTER sh CWD ID (PATH MOUNTED ID)… -- PROGRAM ARGS…`. The folders were mounted
 * by their names, so
 * each is compared with the one that the server holds open: a mount must stand at its path, with the same device and
 * inode. Where one
 * was replaced meanwhile, nothing is run.
 */
const ENTER = `searched=$PATH
PATH=/usr/bin:/bin:/run/current-system/sw/bin
refuse() { echo 'A folder was replaced before the command began. Nothing was run; try again.' >&2; exit ${REPLACED}; }
cd -- "$1" && [ "$(stat -c %d:%i .)" = "$2" ] || refuse
shift 2
while [ "$1" != -- ]; do
  [ "$(stat -c %d:%i -- "$1")" = "$3" ] || refuse
  mounted=no
  while read -r _ _ _ _ at _; do [ "$at" = "$2" ] && mounted=yes; done </proc/self/mountinfo
  [ "$mounted" = yes ] || refuse
  shift 3
done
shift
PATH=$searched
export TMPDIR=/tmp`

/** What goes before a program's own words in a sandbox. */
export function entering(
  cwd: KnownFolder,
  checked: readonly KnownFolder[],
  limits: CommandLimits,
): readonly string[] {
  const script = `${ENTER}\n${limitingProcesses(limits)}\n${limiting(limits)}\nexec "$@"`
  const folders = checked.flatMap(({ path, id }) => [path, asMountinfo(path), id])
  return ['/bin/sh', '-c', script, 'sh', cwd.path, cwd.id, ...folders, '--']
}

/** A path as the kernel writes it in `mountinfo`. */
function asMountinfo(path: string): string {
  return path.replace(/[ \t\n\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)
}
