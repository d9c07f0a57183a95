import { mkdtemp, mkdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { onTestFinished } from 'vitest'

import { noModel } from '../../../packages/dragoman/src/agents/no-model.fixture.ts'
import { noState } from '../../../packages/dragoman/src/agents/no-state.fixture.ts'
import type { Tool, ToolContext, ToolResult } from 'dragoman/agents'
import { parseInput } from '../../../packages/dragoman/src/agents/tool.fixture.ts'
import type { Json } from 'dragoman/events'
import { createWorkspaces, type Workspaces } from './workspace/workspaces.ts'

/** A served folder with files in it, and where it stands. Gone when the test ends. */
export async function servedFolder(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<{ root: string; outside: string; workspaces: Workspaces }> {
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'dragoman-coding-')))
  onTestFinished(() => rm(outside, { recursive: true, force: true }))
  const root = join(outside, 'root')
  await mkdir(root)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  return { root, outside, workspaces: createWorkspaces([root]) }
}

export type Progress = { delta?: string; output?: Json }

/** Uses a tool as a run in that folder would: its input is checked, and what it tells is kept. */
export async function callTool(
  tool: Tool,
  input: unknown,
  {
    root,
    userId = 'ada',
    signal = new AbortController().signal,
    updates = [],
    basis,
  }: {
    root: string
    userId?: string
    signal?: AbortSignal
    updates?: Progress[]
    basis?: string | undefined
  },
): Promise<ToolResult> {
  const call: ToolContext = {
    callId: 'run_1.1',
    runId: 'run_1',
    idempotencyKey: 'run_1.1',
    userId,
    threadId: 'conv_test',
    context: { workspaceRoot: root },
    signal,
    ...(basis !== undefined && { basis }),
    state: noState,
    model: noModel,
    ask: () => Promise.reject(new Error('This call cannot ask.')),
    progress: (update) => void updates.push(update),
    data: () => undefined,
  }
  return tool.execute(await parseInput(tool, input), call)
}
