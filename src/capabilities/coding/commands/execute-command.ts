import { stat } from 'node:fs/promises'

import { z } from 'zod'

import { defineTool, type Machine, type ServerTool } from '../../../agent/index.ts'
import { ServiceError } from '../../../errors.ts'
import { placeIn } from '../workspace/place.ts'
import type { Workspace, Workspaces } from '../workspace/workspaces.ts'
import { environmentOf } from './environment.ts'
import { headAndTail } from './head-and-tail.ts'
import { outcomeOf } from './outcome.ts'
import type { Command } from './run-command.ts'
import type { Sandboxes } from './sandbox.ts'
import { shellOf } from './shell.ts'
import { terminalText } from './terminal-text.ts'

const input = z.object({
  command: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    // More than 128 KB no system takes as one word.
    .max(30_000, 'must have at most 30,000 characters: write a script into a file, and run that')
    .refine((command) => !command.includes('\0'), 'must hold no NUL')
    .describe('What a shell is to run, as it would be typed.'),
  cwd: z
    .string()
    .optional()
    .describe('The folder to run it in, relative to the working directory; that itself unless told.'),
})

export type Means = {
  readonly workspaces: Workspaces
  readonly machine: Pick<Machine, 'env'>
  readonly sandboxes: Sandboxes
  /** How long a command may take, in ms. */
  readonly timeoutMs: number
}

/** A command's own time ends first, so that what it said until then is told. */
const MORE_MS = 10_000
/** As much of the newest output is told while it runs. */
const MOST_TOLD = 1024

/** Runs what a shell runs, in the folder that is worked in. */
export function executeCommand({ workspaces, machine, sandboxes, timeoutMs }: Means): ServerTool {
  const prepared = async (command: string, workspace: Workspace, cwd: string): Promise<Command> => {
    const [shell, sandbox] = await Promise.all([
      shellOf({ platform: process.platform, env: machine.env }),
      sandboxes.found(),
    ])
    const env = environmentOf(machine.env)
    const words = [...shell.args, command]
    if (!sandbox.works) return { file: shell.file, args: words, cwd, env, isSandbox: false }
    const args = await sandboxes.argsFor([workspace.root, ...workspace.also], cwd)
    return { file: sandbox.file, args: [...args, shell.file, ...words], cwd, env, isSandbox: true }
  }
  return defineTool({
    name: 'execute_command',
    description: `Runs a command in a shell and returns its exit code and output. It gets no input and ends after ${timeoutMs / 1000} seconds; what it leaves running in the background is ended with it. Of long output the beginning and the end are shown. Use the file tools to read, search and change files.`,
    input,
    timeoutMs: timeoutMs + MORE_MS,
    async execute({ command, cwd = '.' }, { context, signal, progress }) {
      const workspace = await workspaces.of(context)
      const folder = await folderIn(workspace, cwd)
      const prepares = await prepared(command, workspace, folder)
      const { runCommand } = await import('./run-command.ts')
      const terminal = terminalText()
      const kept = headAndTail()
      const ended = await runCommand(prepares, {
        signal,
        timeoutMs,
        onOutput(bytes) {
          const { lines, live } = terminal.add(bytes)
          kept.add(lines)
          if (live !== '') progress({ delta: live.slice(-MOST_TOLD) })
        },
      })
      kept.add(terminal.end().lines)
      return outcomeOf({ ...ended, ...kept.read(), timeoutMs, sandboxed: prepares.isSandbox })
    },
  })
}

async function folderIn(workspace: Workspace, cwd: string): Promise<string> {
  const { path } = await placeIn(workspace, cwd)
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (isFolder) return path
  throw new ServiceError('invalid-input', `cwd: ${cwd} is no folder in the working directory.`)
}
