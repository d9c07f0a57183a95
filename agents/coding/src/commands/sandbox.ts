import type { Walls, Boxed } from './walls.ts'
import { execFile } from 'node:child_process'
import { access, constants, realpath } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'

import type { CodingServices } from '../settings.ts'
import { homesOf, type ClosedPlaces } from '../workspace/closed-places.ts'
import { liesIn } from '../workspace/lies-in.ts'
import { bubblewrapArgs } from './bubblewrap.ts'
import { entering } from './enter.ts'
import { environmentOf } from './environment.ts'
import { knownBy, planOf, type Grounds } from './mounts.ts'
import { unshareArgs } from './unshare.ts'

/** What shuts a command off from the rest of the machine, or why there is nothing that does. */
export type Sandbox =
  | {
      readonly works: true
      readonly name: 'bubblewrap' | 'unshare'
      readonly file: string
      readonly note: string
    }
  | { readonly works: false; readonly note: string }

export interface Sandboxes {
  /** Tried when it is asked for; what works is kept. */
  found(): Promise<Sandbox>
  /** Whether one is known to work: what was found last. */
  works(): boolean
  /**
   * The program that makes the sandbox, and what goes before the words of the one that runs in it; nothing where none
   * works.
   */
  around(boxed: Boxed): Promise<{ readonly file: string; readonly args: readonly string[] } | undefined>
}

type Given = Pick<CodingServices, 'env' | 'home' | 'roots' | 'commandNetwork' | 'commandLimits'> & {
  readonly places: ClosedPlaces
}

export type SandboxProgram = readonly [name: 'bubblewrap' | 'unshare', program: string]

const PROBE_MS = 5000
const DANGER =
  'they can read, write and end whatever the user can who runs the server. Each command is asked about before it runs.'
const ARGS = { bubblewrap: bubblewrapArgs, unshare: unshareArgs } as const
const PROGRAMS: readonly SandboxProgram[] = [
  ['bubblewrap', 'bwrap'],
  ['unshare', 'unshare'],
]

/** `programs` are tried in their order. */
export function sandboxes(given: Given, programs: readonly SandboxProgram[] = PROGRAMS): Sandboxes {
  const { env, roots, commandNetwork, commandLimits: limits, places } = given
  const own: Grounds = { homes: homesOf(env), path: environmentOf(env)['PATH'] ?? '' }
  const argsOf = async (name: keyof typeof ARGS, { cwd, network, ...wanted }: Boxed) => {
    const { mounts, checked } = await planOf(own, { ...wanted, closed: await places.all() })
    const walls = { mounts, tmpBytes: limits.commandTmpBytes, network: network ?? commandNetwork }
    return [...ARGS[name](walls), ...entering(cwd, checked, limits)]
  }
  const tried = async (): Promise<Sandbox> => {
    if (process.platform !== 'linux')
      return without(`none is known for ${process.platform === 'darwin' ? 'macOS' : process.platform}`)
    const refused: string[] = []
    for (const [name, program] of programs) {
      const file = await programIn(own.path, program, roots)
      if (file === undefined) {
        refused.push(`${program} was not found`)
        continue
      }
      const cwd = { path: '/', id: await knownBy('/') }
      const args = await argsOf(name, { folders: [], access: 'read', cwd })
      const why = await refusal(file, args)
      if (why === undefined) return { works: true, name, file, note: noteOf(name, commandNetwork) }
      refused.push(`${program} does not work here (${why})`)
    }
    return without(`${refused.join(', and ')}; install bubblewrap`)
  }
  let kept: Promise<Sandbox> | undefined
  let last: Sandbox | undefined
  const found = async (): Promise<Sandbox> => {
    const trying = (kept ??= tried())
    last = await trying
    // A machine that was too busy to answer is not unsafe for good, and bubblewrap may be installed meanwhile.
    if (!last.works && kept === trying) kept = undefined
    return last
  }
  return {
    found,
    works: () => last?.works === true,
    async around(boxed) {
      const sandbox = await found()
      return sandbox.works ? { file: sandbox.file, args: await argsOf(sandbox.name, boxed) } : undefined
    },
  }
}

function noteOf(name: string, network: Walls['network']): string {
  const reach = network === 'none' ? 'they have no network' : 'the network is open to them'
  return `Commands run in a sandbox (${name}): they can write to the folders that are worked in alone, and see nothing of the home directory but the tools in it; ${reach}.`
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
        ?.replace(/^(?:bwrap|unshare): /, '')
        .slice(0, 200) || 'it did not answer'
    )
  }
}

/** Where a program is found: never in a folder that is served, for commands write there. */
async function programIn(path: string, name: string, roots: readonly string[]): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name)
    if (!(await access(file, constants.X_OK).then(yes, no))) continue
    const real = await realpath(file)
    if (![file, real].some((each) => roots.some((root) => liesIn(root, each)))) return real
  }
  return undefined
}

const yes = (): boolean => true
const no = (): boolean => false
