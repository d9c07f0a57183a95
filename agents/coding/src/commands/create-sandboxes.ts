import { access } from 'node:fs/promises'
import { join } from 'node:path'

import type { CodingServices } from '../settings.ts'
import { userHomes, type DeniedPaths } from '../workspace/denied-paths.ts'
import { bubblewrapArgs } from './bubblewrap-args.ts'
import { commandEnvironment } from './command-environment.ts'
import { createControlGroup, removeOldGroups } from './control-group.ts'
import { enterSandboxArgs } from './enter-sandbox-args.ts'
import { findProgram } from './find-program.ts'
import { readGitSettings } from './git-settings.ts'
import { folderId } from './mount-plan.ts'
import { planMounts, type UserPaths } from './plan-mounts.ts'
import { probeError } from './probe-sandbox.ts'
import type { SandboxRequest, SandboxSpec } from './sandbox-spec.ts'
import { seccompFilter } from './seccomp-filter.ts'
import { groupLimits } from './resource-limits.ts'
import type { Program } from './spawn-program.ts'
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
  /**
   * The program that creates the sandbox, and its arguments before those of the command; undefined without a working
   * sandbox.
   */
  wrap(request: SandboxRequest): Promise<Program | undefined>
}

type SandboxOptions = Pick<
  CodingServices,
  'env' | 'home' | 'roots' | 'commandNetwork' | 'commandLimits' | 'commands'
> & {
  readonly places: DeniedPaths
}

export type SandboxProgram = readonly [name: 'bubblewrap' | 'unshare', program: string]

const NO_SANDBOX_WARNING = 'they can read, write and end whatever the user can who runs the server.'
const NO_SANDBOX_RULES: Readonly<Record<CodingServices['commands'], string>> = {
  ask: 'Each command is asked about before it runs.',
  allow: 'No command is asked about: commands is allow.',
}
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
  const { env, roots, commandNetwork, commandLimits, commands } = options
  const path = commandEnvironment(env)['PATH'] ?? ''
  const programOf = sandboxPrograms(options)
  const probeAll = async (): Promise<Sandbox> => {
    if (process.platform !== 'linux')
      return noSandbox(
        commands,
        `none is known for ${process.platform === 'darwin' ? 'macOS' : process.platform}`,
      )
    const missing = await missingWall(commandLimits)
    if (missing !== undefined) return noSandbox(commands, missing)
    const reasons: string[] = []
    for (const [name, program] of programs) {
      const file = await findProgram(path, program, roots)
      if (file === undefined) {
        reasons.push(`${program} was not found`)
        continue
      }
      const cwd = { path: '/', id: await folderId('/') }
      const probe = await programOf(name, file, {
        folders: [],
        access: 'read',
        cwd,
        priority: 'normal',
      })
      const why = probe && (await probeError(probe))
      if (why === undefined) return { works: true, name, file, note: sandboxNote(name, commandNetwork) }
      reasons.push(`${program} does not work here (${why})`)
    }
    return noSandbox(commands, `${reasons.join(', and ')}; install bubblewrap 0.8 or newer`)
  }
  let current: Promise<Sandbox> | undefined
  const detect = async (): Promise<Sandbox> => {
    const attempt = (current ??= probeAll())
    const found = await attempt
    // A machine that was too busy to answer is not unsafe for good, and bubblewrap may be installed meanwhile.
    if (!found.works && current === attempt) current = undefined
    return found
  }
  return {
    detect,
    async wrap(request) {
      const sandbox = await detect()
      return sandbox.works ? programOf(sandbox.name, sandbox.file, request) : undefined
    },
  }
}

type ProgramOf = (
  name: keyof typeof ARGUMENTS,
  file: string,
  request: SandboxRequest,
) => Promise<Program | undefined>

/** How the program of a sandbox is started; undefined where the system calls of the processor are not known. */
function sandboxPrograms({ env, roots, commandNetwork, commandLimits, places }: SandboxOptions): ProgramOf {
  const commandEnv = commandEnvironment(env)
  const userPaths: UserPaths = { homes: userHomes(env), path: commandEnv['PATH'] ?? '' }
  const filter = seccompFilter(process.arch)
  return async (name, file, { cwd, network, priority, ...wanted }) => {
    if (filter === undefined) return undefined
    const { mounts, verified } = await planMounts(userPaths, { ...wanted, closed: await places.all() })
    const home = mounts.find(({ kind, at }) => kind === 'temporary' && at === commandEnv['HOME'])
    const git = {
      // A home that is worked in keeps its own file.
      file: join(home?.at ?? '/dev/shm', '.gitconfig'),
      settings: wanted.access === 'write' ? await readGitSettings(commandEnv, roots) : '',
    }
    const build = ARGUMENTS[name]({
      mounts,
      tmpBytes: commandLimits.commandTmpBytes,
      network: network ?? commandNetwork,
      file,
      filter,
    })
    const enter = enterSandboxArgs({ cwd, checked: verified, limits: commandLimits, git, priority })
    return { file, args: [...build, ...enter], ...(name === 'bubblewrap' && { filter }) }
  }
}

function sandboxNote(name: string, network: SandboxSpec['network']): string {
  const reach = network === 'none' ? 'they have no network' : 'the network is open to them'
  return (
    `Commands run in a sandbox (${name}): they can write to the folders that are worked in alone, ` +
    `and see nothing of the home directory but the tools in it; ${reach}.`
  )
}

function noSandbox(commands: CodingServices['commands'], why: string): Sandbox {
  return {
    works: false,
    note: `Commands run without a sandbox, for ${why}: ${NO_SANDBOX_WARNING} ${NO_SANDBOX_RULES[commands]}`,
  }
}

/** Why no sandbox of this machine could keep all of its promises. */
async function missingWall(limits: CodingServices['commandLimits']): Promise<string | undefined> {
  if (seccompFilter(process.arch) === undefined)
    return `the system calls of this processor (${process.arch}) are not known`
  if (!(await access('/proc/thread-self/children').then(yes, no)))
    return 'this kernel does not tell which processes a command has started'
  if (process.getuid?.() !== 0) return undefined
  await removeOldGroups()
  await using group = await createControlGroup(groupLimits(limits))
  const sentence =
    'the server runs as root, and the kernel limits the processes of root only in a control group'
  return group ? undefined : `${sentence}, which cannot be made here. Run the server as another user`
}

const yes = (): boolean => true
const no = (): boolean => false
