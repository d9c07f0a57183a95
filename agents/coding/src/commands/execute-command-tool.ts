import { z } from 'zod'

import { defineTool, type Tool } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import { errorCode, fileError } from '../workspace/file-error.ts'
import { openFolderHandle, type FolderHandle } from '../workspace/folder-handle.ts'
import { resolveWorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { boundsOf, type Workspace, type Workspaces } from '../workspace/workspaces.ts'
import { commandEnvironment } from './command-environment.ts'
import { headAndTail } from './head-and-tail.ts'
import { createCommandLimiter } from './command-limiter.ts'
import { limitedCommandPrefix } from './resource-limits.ts'
import { folderId } from './mount-plan.ts'
import type { ProgramTurns } from './program-turns.ts'
import { commandResult } from './command-result.ts'
import type { Command } from './run-command.ts'
import type { Sandboxes } from './create-sandboxes.ts'
import { findShell } from './find-shell.ts'
import { terminalText } from './terminal-text.ts'
import type { CodingServices } from '../settings.ts'

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

export type CommandToolOptions = {
  readonly workspaces: Workspaces
  readonly services: Pick<CodingServices, 'env' | 'home' | 'commandLimits' | 'commandNetwork' | 'commands'>
  readonly sandboxes: Sandboxes
  readonly programs: ProgramTurns
  /** How long a command may take, in ms. Waiting for its turn does not count. */
  readonly timeoutMs: number
}

/** The timeout of the command comes first, so that its output is returned. */
const TOOL_GRACE_MS = 10_000
/** How long a command waits for its turn. */
const MAX_WAIT_MS = 600_000
/** The newest output in one progress update. */
const MAX_PROGRESS_LENGTH = 1024

/** Runs what a shell runs, in the folder that is worked in. */
export function executeCommandTool(options: CommandToolOptions): Tool {
  const { workspaces, services, sandboxes, programs, timeoutMs } = options
  const limiter = createCommandLimiter(services.commandLimits, services.commandNetwork, workspaces.disks)
  const prepareCommand = async (command: string, workspace: Workspace, held: Held): Promise<Command> => {
    const shell = await findShell({ platform: process.platform, env: services.env })
    const env = commandEnvironment(services.env)
    const words = [shell.file, ...shell.args, command]
    const folders = await Promise.all(
      held.folders.map(async ({ path, at }) => ({
        path,
        id: await folderId(at),
        bounds: boundsOf(workspace, path),
      })),
    )
    const { path, at } = held.cwd
    const cwd = { path, id: await folderId(at) }
    const sandbox = await sandboxes.wrap({ folders, access: 'write', cwd })
    if (sandbox) return { ...sandbox, args: [...sandbox.args, ...words], cwd: '/', env, isSandbox: true }
    const [file = '', ...args] = [...limitedCommandPrefix(services.commandLimits), ...words]
    return { file, args, cwd: at, env, isSandbox: false }
  }
  return defineTool({
    name: 'execute_command',
    description:
      'Runs a command in a shell and returns its exit code and output. It gets no input and ends after ' +
      `${timeoutMs / 1000} seconds; what it leaves running in the background is ended with it. Of long ` +
      'output the beginning and the end are shown. Use the file tools to read, search and change files.',
    inputSchema: input,
    timeoutMs: MAX_WAIT_MS + timeoutMs + TOOL_GRACE_MS,
    // Without a sandbox a command can do all that its user can: a person sees it first, unless the owner allows all.
    needsApproval: async () => services.commands === 'ask' && !(await sandboxes.detect()).works,
    async execute({ command, cwd = '.' }, { context, userId, signal, progress }) {
      using resources = new DisposableStack()
      resources.use(await programs.turn(userId, { signal, maxWaitMs: MAX_WAIT_MS }))
      const workspace = await workspaces.of(context)
      await using held = await holdFolders(workspace, cwd)
      const prepared = await prepareCommand(command, workspace, held).catch((error: unknown) => {
        // A folder between the workspace and a hidden place may have been replaced meanwhile.
        throw fileError('The working directory', error)
      })
      const folders = [services.home, ...held.folders.map(({ at }) => at)]
      await using limited = await limiter.limit(prepared, folders)
      const { runCommand } = await import('./run-command.ts')
      const terminal = terminalText()
      const outputText = headAndTail()
      const ended = await runCommand(limited.command, {
        signal,
        timeoutMs,
        untilTooMuch: limited.untilTooMuch,
        onOutput(bytes) {
          const { lines, live } = terminal.add(bytes)
          outputText.add(lines)
          if (live !== '') progress({ delta: live.slice(-MAX_PROGRESS_LENGTH) })
        },
      })
      outputText.add(terminal.end().lines)
      return commandResult({ ...ended, ...outputText.read(), timeoutMs, sandboxed: prepared.isSandbox })
    },
  })
}

type HeldPath = Pick<FolderHandle, 'at'> & { readonly path: string }
type Held = AsyncDisposable & { readonly folders: readonly HeldPath[]; readonly cwd: HeldPath }

/** Holds the folders that a command works in, until it has ended: so no other takes their place. */
async function holdFolders(workspace: Workspace, cwd: string): Promise<Held> {
  const place = await resolveWorkspacePath(workspace, cwd)
  const open: FolderHandle[] = []
  const hold = async (path: string, within = path): Promise<HeldPath> => {
    const held = await openFolderHandle(boundsOf(workspace, within), path)
    open.push(held)
    return { path, at: held.at }
  }
  const close = async (): Promise<void> => {
    for (const held of open) await held[Symbol.asyncDispose]()
  }
  try {
    const folders: HeldPath[] = []
    for (const path of [workspace.root, ...workspace.directories]) folders.push(await hold(path))
    return { folders, cwd: await hold(place.path, place.within), [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw fileError(place.displayPath, error)
    throw new ServiceError('invalid-input', `cwd: ${cwd} is no folder in the working directory.`)
  }
}
