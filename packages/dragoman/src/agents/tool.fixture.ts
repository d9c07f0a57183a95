import { z } from 'zod'

import { validateInput, type Issue } from './input-schema.ts'
import { noModel } from './no-model.fixture.ts'
import { noState } from './no-state.fixture.ts'
import type { ApprovalContext, ToolContext } from './tool-context.ts'
import type { Tool } from './tool.ts'

/** A call, for checks of approval. */
export const testApprovalContext: ApprovalContext = {
  callId: 'run_1.1',
  runId: 'run_1',
  userId: 'ada',
  threadId: 'conv_test',
  context: {},
}

/** The input as the tool's schema returns it. @throws Error if the schema refuses it */
export async function parseInput(tool: Tool, input: unknown): Promise<unknown> {
  const validation = await validateInput(tool.inputSchema, input)
  if (validation.issues) throw new Error(z.prettifyError(validation))
  return validation.value
}

/** The issues that the tool's schema finds in an input. */
export async function issuesOf(tool: Tool | undefined, input: unknown): Promise<readonly Issue[]> {
  if (!tool) throw new Error('There is no such tool.')
  return (await validateInput(tool.inputSchema, input)).issues ?? []
}

export async function accepts(tool: Tool | undefined, input: unknown): Promise<boolean> {
  return (await issuesOf(tool, input)).length === 0
}

/** The context of a call outside a run. */
export const testToolContext: ToolContext = {
  ...testApprovalContext,
  idempotencyKey: 'run_1/run_1.1',
  signal: new AbortController().signal,
  model: noModel,
  state: noState,
  progress: () => undefined,
  data: () => undefined,
  ask: () => Promise.reject(new Error('This call cannot ask.')),
}
