import type { ServerTool, ToolCall } from '../../../agent/index.ts'
import { noModel } from '../../../agent/model.fixture.ts'
import { noState } from '../../../agent/state.fixture.ts'
import type { Json } from '../../../events/index.ts'
import type { Language } from '../language.ts'

/** What a page gets of a tool. */
export type Shown = { readonly [field: string]: Json } & { readonly text: string }

/** Uses a tool as a run does, once its input has been looked at: the card, as it is once it has been through JSON. For tests. */
export async function show(
  tool: ServerTool,
  input: unknown,
  language: Language,
  call: Partial<ToolCall> = {},
): Promise<Shown> {
  const { output, text } = await tool.execute(tool.input.parse(input), {
    callId: 'run_1.1',
    runId: 'run_1',
    key: 'run_1.1',
    userId: 'ada',
    conversation: 'conv_test',
    context: { language },
    signal: new AbortController().signal,
    model: noModel,
    state: noState,
    progress: () => undefined,
    ...call,
  })
  const card = JSON.parse(JSON.stringify(output)) as Shown
  if (card.text !== text) throw new Error('What the model reads is not what the card says.')
  return card
}
