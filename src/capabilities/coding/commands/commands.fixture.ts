import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import type { ServerTool } from '../../../agent/index.ts'
import { servedFolder } from '../coding.fixture.ts'
import { executeCommand } from './execute-command.ts'
import { sandboxes } from './sandbox.ts'

export const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin'
const PROGRAMS = 'sh bash sleep yes setsid nohup cat head tail env printf ls touch perl seq'

/** Where programs are found, but no bubblewrap: what there is in a sandbox and what there is without one is tried on the same machine. */
export async function noSandboxPath(): Promise<string> {
  if (process.platform !== 'linux') return SYSTEM_PATH
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-bin-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const program of PROGRAMS.split(' ')) {
    const places = SYSTEM_PATH.split(':').map((each) => join(each, program))
    await symlink(places.find((place) => existsSync(place)) ?? program, join(folder, program))
  }
  return folder
}

/** Whether commands can be shut off from the rest of the machine that this test runs on. */
export async function hasSandbox(): Promise<boolean> {
  return (await sandboxes({ env: { PATH: SYSTEM_PATH }, home: '/nowhere' }).found()).works
}

type Wanted = {
  readonly path?: string
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  readonly files?: Readonly<Record<string, string>>
}

/** The tool in a served folder, and beside that what is the user's own and the server's. */
export async function commandsIn({
  path = SYSTEM_PATH,
  env = {},
  timeoutMs = 30_000,
  files = {},
}: Wanted = {}): Promise<{
  tool: ServerTool
  root: string
  outside: string
  home: string
}> {
  const { root, outside, open } = await servedFolder(files)
  const home = join(outside, 'home')
  await mkdir(join(home, 'server'), { recursive: true })
  const machine = { env: { PATH: path, HOME: home, ...env }, home: join(home, 'server') }
  const tool = executeCommand({
    workspaces: open,
    machine,
    sandboxes: sandboxes(machine),
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
