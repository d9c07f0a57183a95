import { onTestFinished } from 'vitest'

import type { Tool, ToolPreview, ToolResult } from 'dragoman/agents'
import { threadMigrations } from 'dragoman/threads'
import { testApprovalContext } from '../../../../packages/dragoman/src/agents/tool.fixture.ts'
import { openTestDatabase } from '../../../../packages/dragoman/src/testing/test-storage.fixture.ts'
import { createChangeStore } from '../changes/change-store.ts'
import { codingMigrations } from '../changes/change-tables.ts'
import { servedFolder, callTool } from '../coding.fixture.ts'
import { fileTools as createTools } from './file-tools.ts'

/** The tools of a run in a folder, by their names, and what they say. */
export async function fileTools(files: Readonly<Record<string, string | Uint8Array>> = {}): Promise<{
  root: string
  outside: string
  call: (name: string, input: unknown, signal?: AbortSignal) => Promise<ToolResult>
  preview: (name: string, input: unknown) => Promise<ToolPreview>
  /** Calls a tool as its user has approved it, with the basis of a preview. */
  callApproved: (name: string, input: unknown, basis: string | undefined) => Promise<ToolResult>
}> {
  const { root, outside, workspaces: open } = await servedFolder(files)
  const db = await openTestDatabase([...threadMigrations, ...codingMigrations])
  onTestFinished(() => db.destroy())
  const tools = createTools(open, createChangeStore(db))
  const find = (name: string): Tool => {
    const tool = tools.find((each) => each.name === name)
    if (!tool) throw new Error(`There is no tool ${name}.`)
    return tool
  }
  return {
    root,
    outside,
    async call(name, input, signal = new AbortController().signal) {
      return callTool(find(name), input, { root, signal })
    },
    async preview(name, input) {
      const { signal } = new AbortController()
      const call = { ...testApprovalContext, context: { workspaceRoot: root }, signal }
      const preview = await find(name).preview?.(input, call)
      if (!preview) throw new Error(`${name} has no preview.`)
      return preview
    },
    async callApproved(name, input, basis) {
      return callTool(find(name), input, { root, basis })
    },
  }
}

/** How a call fails. */
export async function failure(call: Promise<unknown>): Promise<{ code: unknown; message: string }> {
  try {
    await call
  } catch (error) {
    return error as { code: unknown; message: string }
  }
  throw new Error('It did not fail.')
}
