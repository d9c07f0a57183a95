import type { Tool, ToolContext, ToolResult } from './index.ts'
import { noModel } from './no-model.fixture.ts'
import { noState } from './no-state.fixture.ts'
import { parseInput } from './tool.fixture.ts'

/** Uses a tool as a run does: once its input has been looked at. For tests. */
export async function runTool(
  tool: Tool,
  input: unknown,
  call: Partial<ToolContext> = {},
): Promise<ToolResult> {
  return tool.execute(await parseInput(tool, input), {
    callId: 'run_1.1',
    runId: 'run_1',
    idempotencyKey: 'run_1.1',
    userId: 'ada',
    threadId: 'conv_test',
    context: {},
    signal: new AbortController().signal,
    model: noModel,
    state: noState,
    progress: () => undefined,
    data: () => undefined,
    ask: () => Promise.reject(new Error('This call cannot ask.')),
    ...call,
  })
}
