import type { SandboxSpec, SandboxRequest } from './sandbox-spec.ts'
import { execFile } from 'node:child_process'
import { access, constants, realpath } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'

import type { CodingServices } from '../settings.ts'
import { userHomes, type DeniedPaths } from '../workspace/denied-paths.ts'
import { isWithin } from '../workspace/is-within.ts'
import { bubblewrapArgs } from './bubblewrap-args.ts'
import { enterSandboxArgs } from './enter-sandbox-args.ts'
import { commandEnvironment } from './command-environment.ts'
import { folderId, planMounts, type UserPaths } from './plan-mounts.ts'
import { unshareArgs } from './unshare-args.ts'

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
  detect(): Promise<Sandbox>
  /** Whether one is known to work: what was found last. */
  works(): boolean
  /**
   * The program that creates the sandbox, and its arguments before those of the command; undefined without a working
   * sandbox.
   */
  wrap(
    request: SandboxRequest,
  ): Promise<{ readonly file: string; readonly args: readonly string[] } | undefined>
}

type SandboxOptions = Pick<CodingServices, 'env' | 'home' | 'roots' | 'commandNetwork' | 'commandLimits'> & {
  readonly places: DeniedPaths
}

export type SandboxProgram = readonly [name: 'bubblewrap' | 'unshare', program: string]

const PROBE_MS = 5000
const NO_SANDBOX_WARNING =
  'they can read, write and end whatever the user can who runs the server. Each command is asked about before it runs.'
const ARGUMENTS = { bubblewrap: bubblewrapArgs, unshare: unshareArgs } as const
const PROGRAMS: readonly SandboxProgram[] = [
  ['bubblewrap', 'bwrap'],
  ['unshare', 'unshare'],
]

/** `programs` are tried in their order. */
export function createSandboxes(
  options: SandboxOptions,
  programs: readonly SandboxProgram[] = PROGRAMS,
): Sandboxes {
  const { env, roots, commandNetwork, commandLimits: limits, places } = options
  const userPaths: UserPaths = { homes: userHomes(env), path: commandEnvironment(env)['PATH'] ?? '' }
  const argsOf = async (name: keyof typeof ARGUMENTS, { cwd, network, ...wanted }: SandboxRequest) => {
    const { mounts, verified: checked } = await planMounts(userPaths, {
      ...wanted,
      closed: await places.all(),
    })
    const walls = { mounts, tmpBytes: limits.commandTmpBytes, network: network ?? commandNetwork }
    return [...ARGUMENTS[name](walls), ...enterSandboxArgs(cwd, checked, limits)]
  }
  const probeAll = async (): Promise<Sandbox> => {
    if (process.platform !== 'linux')
      return noSandbox(`none is known for ${process.platform === 'darwin' ? 'macOS' : process.platform}`)
    const reasons: string[] = []
    for (const [name, program] of programs) {
      const file = await findProgram(userPaths.path, program, roots)
      if (file === undefined) {
        reasons.push(`${program} was not found`)
        continue
      }
      const cwd = { path: '/', id: await folderId('/') }
      const args = await argsOf(name, { folders: [], access: 'read', cwd })
      const why = await probeError(file, args)
      if (why === undefined) return { works: true, name, file, note: sandboxNote(name, commandNetwork) }
      reasons.push(`${program} does not work here (${why})`)
    }
    return noSandbox(`${reasons.join(', and ')}; install bubblewrap`)
  }
  let current: Promise<Sandbox> | undefined
  let last: Sandbox | undefined
  const detect = async (): Promise<Sandbox> => {
    const attempt = (current ??= probeAll())
    last = await attempt
    // A machine that was too busy to answer is not unsafe for good, and bubblewrap may be installed meanwhile.
    if (!last.works && current === attempt) current = undefined
    return last
  }
  return {
    detect,
    works: () => last?.works === true,
    async wrap(request) {
      const sandbox = await detect()
      return sandbox.works ? { file: sandbox.file, args: await argsOf(sandbox.name, request) } : undefined
    },
  }
}

function sandboxNote(name: string, network: SandboxSpec['network']): string {
  const reach = network === 'none' ? 'they have no network' : 'the network is open to them'
  return (
    `Commands run in a sandbox (${name}): they can write to the folders that are worked in alone, ` +
    `and see nothing of the home directory but the tools in it; ${reach}.`
  )
}

function noSandbox(why: string): Sandbox {
  return { works: false, note: `Commands run without a sandbox, for ${why}: ${NO_SANDBOX_WARNING}` }
}

/** The first line of the error if the probe fails. */
async function probeError(file: string, args: readonly string[]): Promise<string | undefined> {
  try {
    await promisify(execFile)(file, [...args, '/bin/sh', '-c', ':'], { timeout: PROBE_MS, env: {} })
    return undefined
  } catch (error) {
    const message = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    return (
      message
        .split('\n')[0]
        ?.replace(/^(?:bwrap|unshare): /, '')
        .slice(0, 200) || 'it did not answer'
    )
  }
}

/** Where a program is found: never in a folder that is served, for commands write there. */
async function findProgram(
  path: string,
  name: string,
  roots: readonly string[],
): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name)
    if (!(await access(file, constants.X_OK).then(yes, no))) continue
    const real = await realpath(file)
    if (![file, real].some((each) => roots.some((root) => isWithin(root, each)))) return real
  }
  return undefined
}

const yes = (): boolean => true
const no = (): boolean => false
