import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { onTestFinished } from 'vitest'

import { commandTool, hasSandboxKind } from '../../src/commands/commands.fixture.ts'
import { isFull } from '../../../../test/support/is-full.ts'
import type { Processor, SystemCall } from '../../src/commands/system-calls.ts'

const PAGE = join(import.meta.dirname, '../../../../docs/agents/coding/index.md')
const PROGRAM = join(import.meta.dirname, 'command-program.ts')
export type Sandbox = 'bubblewrap' | 'unshare'

const ALL_SANDBOXES: readonly { readonly sandbox: Sandbox; readonly works: boolean }[] = [
  { sandbox: 'bubblewrap', works: await hasSandboxKind('bubblewrap') },
  { sandbox: 'unshare', works: await hasSandboxKind('unshare') },
]

/** The sandboxes, and whether they work on the machine that this test runs on; in `npm test` only one that works. */
export const SANDBOXES = ALL_SANDBOXES.filter(
  (each, index, all) =>
    isFull ||
    index ===
      Math.max(
        0,
        all.findIndex(({ works }) => works),
      ),
)

/** What the first column of the documented table names. */
export function documentedRows(): readonly string[] {
  const [, after = ''] = readFileSync(PAGE, 'utf8').split('| in the sandbox | |\n| --- | --- |\n')
  const [table = ''] = after.split('\n\n')
  return table.split('\n').map((row) => row.replace(/^\| (.*?) \| .*$/, '$1'))
}

/** Runs a command in a sandbox and returns what it wrote. */
export async function output(
  sandbox: Sandbox,
  command: string,
  options: Parameters<typeof commandTool>[0] = {},
): Promise<{ root: string; text: string }> {
  const { root, run } = await commandTool({ sandbox, ...options })
  const result = await run(command)
  return { root, text: (result.output as { output: string }).output }
}

/**
 * Runs a command in a process that `script` has prepared: by other mounts, descriptors or keys. A refusal is returned
 * as it is told.
 */
export async function outputIn(
  sandbox: Sandbox,
  at: string,
  script: string,
  command: string,
): Promise<string> {
  await mkdir(join(at, 'home/server'), { recursive: true })
  await mkdir(join(at, 'root'), { recursive: true })
  const words = [process.execPath, PROGRAM, join(at, 'home'), join(at, 'root'), sandbox, command]
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script, 'sh', ...words])
  return stdout.startsWith('{') ? (JSON.parse(stdout) as { output: string }).output : stdout
}

export async function temporaryFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'dragoman-wall-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A command that makes system calls and writes for each what came of it. */
export function systemCalls(lines: Readonly<Record<string, readonly (number | string)[]>>): string {
  const each = Object.entries(lines).map(
    ([name, args]) =>
      `$! = 0; $r = syscall(${args.join(', ')}); print "${name} ", $r < 0 ? $!+0 : "made", "\\n";`,
  )
  return `perl -e '${each.join('\n')}'`
}

export function numberOf(call: SystemCall): number {
  return call[process.arch as Processor] ?? -1
}

/** A folder that commands can see, and in which this test may write. */
export async function visibleParent(): Promise<string> {
  for (const folder of ['/srv', '/opt', '/var/lib', '/mnt']) {
    const test = await mkdtemp(join(folder, 'dragoman-wall-')).catch(() => undefined)
    if (test === undefined) continue
    await rm(test, { recursive: true })
    return folder
  }
  return process.cwd()
}
