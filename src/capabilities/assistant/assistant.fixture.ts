import type { ServerTool, ToolCall, ToolResult } from '../../agent/index.ts'
import { noModel } from '../../agent/model.fixture.ts'
import { noState } from '../../agent/state.fixture.ts'

/** Uses a tool as a run does: once its input has been looked at. For tests. */
export async function use(
  tool: ServerTool,
  input: unknown,
  call: Partial<ToolCall> = {},
): Promise<ToolResult> {
  return tool.execute(tool.input.parse(input), {
    callId: 'run_1.1',
    runId: 'run_1',
    key: 'run_1.1',
    userId: 'ada',
    conversation: 'conv_test',
    context: {},
    signal: new AbortController().signal,
    model: noModel,
    state: noState,
    progress: () => undefined,
    ...call,
  })
}
