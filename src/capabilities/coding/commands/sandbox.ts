import { execFile } from 'node:child_process'
import { access, constants, realpath } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'

import type { Machine } from '../../../agent/index.ts'
import { environmentOf } from './environment.ts'
import { mountsOf, type Grounds } from './mounts.ts'

/** What shuts a command off from the rest of the machine, or why there is nothing that does. */
export type Sandbox =
  | { readonly works: true; readonly file: string; readonly note: string }
  | { readonly works: false; readonly note: string }

export interface Sandboxes {
  /** Tried when it is asked for; what works is kept. */
  readonly found: () => Promise<Sandbox>
  /** What goes before a program's own words, for commands that work in these folders. */
  argsFor(folders: readonly string[], cwd: string): Promise<readonly string[]>
}

const PROBE_MS = 5000
const DANGER = 'they can read, write and end whatever the user can who runs the server.'

/** Everything of its own but the network and the files; with its end, also by our death, all in it ends. */
const APART = `--unshare-user-try --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL --die-with-parent`
/**
 * What forks without end fills the sandbox, not the machine: so many processes and threads. They are counted in there alone; to root the
 * kernel sets no limit. Shells disagree about the letter.
 */
const LIMITED = 'ulimit -u 4096 2>/dev/null || ulimit -p 4096 2>/dev/null; exec "$@"'
const FIRST = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc']

export function sandboxes({ env, home }: Pick<Machine, 'env' | 'home'>): Sandboxes {
  const own: Grounds = {
    homes: [env['HOME'] ?? homedir(), homeOfRecord()].flatMap((each) => each ?? []),
    hidden: home,
    path: environmentOf(env)['PATH'] ?? '',
  }
  const argsFor: Sandboxes['argsFor'] = async (folders, cwd) => [
    ...APART.split(' '),
    ...FIRST,
    ...(await mountsOf(own, folders)),
    '--setenv',
    'TMPDIR',
    '/tmp',
    '--chdir',
    cwd,
    '--',
    '/bin/sh',
    '-c',
    LIMITED,
    'sh',
  ]
  const tried = async (): Promise<Sandbox> => {
    if (process.platform !== 'linux')
      return without(`none is known for ${process.platform === 'darwin' ? 'macOS' : process.platform}`)
    const file = await programIn(own.path, 'bwrap')
    if (file === undefined) return without('bwrap was not found (install bubblewrap)')
    const refused = await refusal(file, await argsFor([], '/'))
    if (refused !== undefined) return without(`bwrap does not work here (${refused})`)
    return {
      works: true,
      file,
      note: 'Commands run in bubblewrap: they can write to the folders that are worked in alone, and see nothing of the home directory but the tools in it; the network is open to them.',
    }
  }
  let kept: Promise<Sandbox> | undefined
  return {
    argsFor,
    async found() {
      const trying = (kept ??= tried())
      const sandbox = await trying
      // A machine that was too busy to answer is not unsafe for good, and bubblewrap may be installed meanwhile.
      if (!sandbox.works && kept === trying) kept = undefined
      return sandbox
    },
  }
}

function without(why: string): Sandbox {
  return { works: false, note: `Commands run without a sandbox, for ${why}: ${DANGER}` }
}

/** Why it refuses, in its first words; nothing where it does what it is told. */
async function refusal(file: string, args: readonly string[]): Promise<string | undefined> {
  try {
    await promisify(execFile)(file, [...args, '/bin/sh', '-c', ':'], { timeout: PROBE_MS, env: {} })
    return undefined
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    return (
      said
        .split('\n')[0]
        ?.replace(/^bwrap: /, '')
        .slice(0, 200) || 'it did not answer'
    )
  }
}

/** A server may be told of another home than the one that its user has. */
function homeOfRecord(): string | undefined {
  try {
    return userInfo().homedir
  } catch {
    return undefined
  }
}

async function programIn(path: string, name: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name)
    if (await access(file, constants.X_OK).then(yes, no)) return realpath(file)
  }
  return undefined
}

const yes = (): boolean => true
const no = (): boolean => false
