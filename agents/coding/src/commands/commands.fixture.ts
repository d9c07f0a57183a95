import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

import { onTestFinished } from 'vitest'

import type { Tool, ToolResult } from 'dragoman/agents'
import type { CodingServices } from '../settings.ts'
import { codingServices } from '../coding-services.fixture.ts'
import { callTool, servedFolder, type Progress } from '../coding.fixture.ts'
import { createDeniedPaths, userHomes } from '../workspace/denied-paths.ts'
import { executeCommandTool } from './execute-command-tool.ts'
import { createProgramTurns, type ProgramTurns } from './program-turns.ts'
import type { CommandLimits } from './resource-limits.ts'
import { createSandboxes, type Sandboxes } from './create-sandboxes.ts'

export const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin'
const PROGRAMS = 'sh bash sleep yes setsid nohup cat head tail env printf ls touch perl seq'
/** What shuts commands off: bubblewrap, unshare, or nothing. */
export type SandboxKind = 'bubblewrap' | 'unshare' | 'nothing'
/** A bubblewrap that is not in the system's PATH is named by this variable. */
const UNSHARE = '/usr/bin/unshare'
const BWRAP = process.env['DRAGOMAN_BWRAP'] ?? '/usr/bin/bwrap'

/**
 * Where a server finds of the sandboxes only that one: all of them are tried on the same machine. Its commands see no
 * program there.
 */
export async function pathWith(sandbox: SandboxKind): Promise<string> {
  if (process.platform !== 'linux') return SYSTEM_PATH
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-bin-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const program of PROGRAMS.split(' ')) {
    const places = SYSTEM_PATH.split(':').map((each) => join(each, program))
    await symlink(places.find((place) => existsSync(place)) ?? program, join(folder, program))
  }
  if (sandbox === 'bubblewrap') await symlink(BWRAP, join(folder, 'bwrap'))
  if (sandbox === 'unshare') await symlink(UNSHARE, join(folder, 'unshare'))
  return folder
}

/** Where there is no sandbox. */
export const noSandboxPath = (): Promise<string> => pathWith('nothing')

/** Whether that sandbox works on the machine that this test runs on. */
export async function hasSandboxKind(sandbox: SandboxKind): Promise<boolean> {
  return sandbox === 'nothing' || (await testSandboxes({}, sandbox).detect()).works
}

/** Whether commands can be shut off from the rest of the machine that this test runs on. */
export async function hasSandbox(): Promise<boolean> {
  return (await testSandboxes({}).detect()).works
}

/** The sandboxes of a machine: of all kinds that there are, or of one. */
export function testSandboxes(services: Partial<CodingServices>, sandbox?: SandboxKind): Sandboxes {
  const bare = codingServices({ env: { PATH: SYSTEM_PATH }, ...services })
  const options = { ...bare, places: createDeniedPaths(bare.home, userHomes(bare.env)) }
  if (sandbox === undefined) return createSandboxes(options)
  const file = { bubblewrap: BWRAP, unshare: UNSHARE, nothing: undefined }[sandbox]
  const env = { ...bare.env, PATH: `${bare.env['PATH']}${file === undefined ? '' : `:${dirname(file)}`}` }
  const name = sandbox === 'unshare' ? 'unshare' : 'bubblewrap'
  return createSandboxes({ ...options, env }, file === undefined ? [] : [[name, basename(file)]])
}

type CommandOptions = {
  readonly path?: string
  readonly sandbox?: SandboxKind
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly limits?: CommandLimits
  readonly programs?: ProgramTurns
  readonly files?: Readonly<Record<string, string>>
}

type RunOptions = {
  readonly cwd?: string
  readonly root?: string
  readonly userId?: string
  readonly signal?: AbortSignal
  readonly updates?: Progress[]
}

/** The tool in a served folder, next to a home of the user with the home of the server. */
export async function commandTool({
  path = SYSTEM_PATH,
  sandbox,
  env = {},
  timeoutMs = 30_000,
  limits,
  programs = createProgramTurns(),
  files = {},
}: CommandOptions = {}): Promise<{
  tool: Tool
  root: string
  outside: string
  home: string
  run: (command: string, options?: RunOptions) => Promise<ToolResult>
}> {
  const { root, outside, workspaces: open } = await servedFolder(files)
  const home = join(outside, 'home')
  await mkdir(join(home, 'server'), { recursive: true })
  const services = codingServices({
    env: { PATH: path, HOME: home, ...env },
    home: join(home, 'server'),
    ...(limits && { commandLimits: limits }),
  })
  const tool = executeCommandTool({
    workspaces: open,
    services,
    sandboxes: testSandboxes(services, sandbox),
    programs,
    timeoutMs,
  })
  const run = (command: string, { cwd, ...call }: RunOptions = {}): Promise<ToolResult> =>
    callTool(tool, { command, ...(cwd !== undefined && { cwd }) }, { root, ...call })
  return { tool, root, outside, home, run }
}

/** How many processes have this word in their command line, wherever they are. */
export async function countProcesses(word: string): Promise<number> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    all.map((name) => readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines.filter((line) => line.includes(word)).length
}
