import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

import { onTestFinished } from 'vitest'

import type { Tool } from 'dragoman/agents'
import type { CodingServices } from '../settings.ts'
import { codingMachine } from '../machine.fixture.ts'
import { servedFolder } from '../coding.fixture.ts'
import { closedPlaces, homesOf } from '../workspace/closed-places.ts'
import { executeCommand } from './execute-command.ts'
import type { CommandLimits } from './resource-limits.ts'
import { sandboxes, type Sandboxes } from './sandbox.ts'

export const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin'
const PROGRAMS = 'sh bash sleep yes setsid nohup cat head tail env printf ls touch perl seq'
/** What shuts commands off: bubblewrap, unshare, or nothing. */
export type Shut = 'bubblewrap' | 'unshare' | 'nothing'
/** A bubblewrap that is not in the system's PATH is named by this variable. */
const UNSHARE = '/usr/bin/unshare'
const BWRAP = process.env['DRAGOMAN_BWRAP'] ?? '/usr/bin/bwrap'

/**
 * Where a server finds of the sandboxes only that one: all of them are tried on the same machine. Its commands see no
 * program there.
 */
export async function pathTo(shut: Shut): Promise<string> {
  if (process.platform !== 'linux') return SYSTEM_PATH
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-bin-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const program of PROGRAMS.split(' ')) {
    const places = SYSTEM_PATH.split(':').map((each) => join(each, program))
    await symlink(places.find((place) => existsSync(place)) ?? program, join(folder, program))
  }
  if (shut === 'bubblewrap') await symlink(BWRAP, join(folder, 'bwrap'))
  if (shut === 'unshare') await symlink(UNSHARE, join(folder, 'unshare'))
  return folder
}

/** Where there is no sandbox. */
export const noSandboxPath = (): Promise<string> => pathTo('nothing')

/** Whether that sandbox works on the machine that this test runs on. */
export async function canShut(shut: Shut): Promise<boolean> {
  return shut === 'nothing' || (await sandboxesOf({}, shut).found()).works
}

/** Whether commands can be shut off from the rest of the machine that this test runs on. */
export async function hasSandbox(): Promise<boolean> {
  return (await sandboxesOf({}).found()).works
}

/** The sandboxes of a machine: of all kinds that there are, or of one. */
export function sandboxesOf(machine: Partial<CodingServices>, shut?: Shut): Sandboxes {
  const bare = codingMachine({ env: { PATH: SYSTEM_PATH }, ...machine })
  const given = { ...bare, places: closedPlaces(bare.home, homesOf(bare.env)) }
  if (shut === undefined) return sandboxes(given)
  const file = { bubblewrap: BWRAP, unshare: UNSHARE, nothing: undefined }[shut]
  const env = { ...bare.env, PATH: `${bare.env['PATH']}${file === undefined ? '' : `:${dirname(file)}`}` }
  const name = shut === 'unshare' ? 'unshare' : 'bubblewrap'
  return sandboxes({ ...given, env }, file === undefined ? [] : [[name, basename(file)]])
}

type Wanted = {
  readonly path?: string
  readonly shut?: Shut
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly limits?: CommandLimits
  readonly files?: Readonly<Record<string, string>>
}

/** The tool in a served folder, and beside that what is the user's own and the server's. */
export async function commandsIn({
  path = SYSTEM_PATH,
  shut,
  env = {},
  timeoutMs = 30_000,
  limits,
  files = {},
}: Wanted = {}): Promise<{
  tool: Tool
  root: string
  outside: string
  home: string
}> {
  const { root, outside, open } = await servedFolder(files)
  const home = join(outside, 'home')
  await mkdir(join(home, 'server'), { recursive: true })
  const machine = codingMachine({
    env: { PATH: path, HOME: home, ...env },
    home: join(home, 'server'),
    ...(limits && { commandLimits: limits }),
  })
  const tool = executeCommand({
    workspaces: open,
    machine,
    sandboxes: sandboxesOf(machine, shut),
    timeoutMs,
  })
  return { tool, root, outside, home }
}

/** How many processes have this word in their command line, wherever they are. */
export async function running(word: string): Promise<number> {
  const all = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    all.map((name) => readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines.filter((line) => line.includes(word)).length
}
