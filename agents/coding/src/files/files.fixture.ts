import { onTestFinished } from 'vitest'

import type { ToolResult } from 'dragoman/agents'
import { threadMigrations } from 'dragoman/threads'
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
}> {
  const { root, outside, workspaces: open } = await servedFolder(files)
  const db = await openTestDatabase([...threadMigrations, ...codingMigrations])
  onTestFinished(() => db.destroy())
  const tools = createTools(open, createChangeStore(db))
  return {
    root,
    outside,
    async call(name, input, signal = new AbortController().signal) {
      const tool = tools.find((each) => each.name === name)
      if (!tool) throw new Error(`There is no tool ${name}.`)
      return callTool(tool, input, { root, signal })
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
