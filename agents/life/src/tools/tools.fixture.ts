import type { Tool, ToolContext } from 'dragoman/agents'
import { noModel } from '../../../../packages/dragoman/src/agents/no-model.fixture.ts'
import { noState } from '../../../../packages/dragoman/src/agents/no-state.fixture.ts'
import { parseInput } from '../../../../packages/dragoman/src/agents/tool.fixture.ts'
import type { Json } from 'dragoman/events'
import type { Language } from '../language.ts'

/** What a page gets of a tool. */
export type ShownCard = { readonly [field: string]: Json } & { readonly text: string }

/**
 * Uses a tool as a run does, once its input has been looked at: the card, as it is once it has been through JSON. For
 * tests.
 */
export async function show(
  tool: Tool,
  input: unknown,
  language: Language,
  call: Partial<ToolContext> = {},
): Promise<ShownCard> {
  const { output, text } = await tool.execute(await parseInput(tool, input), {
    callId: 'run_1.1',
    runId: 'run_1',
    idempotencyKey: 'run_1.1',
    userId: 'ada',
    threadId: 'conv_test',
    context: { language },
    signal: new AbortController().signal,
    model: noModel,
    state: noState,
    progress: () => undefined,
    ...call,
  })
  const card = JSON.parse(JSON.stringify(output)) as ShownCard
  if (card.text !== text) throw new Error('What the model reads is not what the card says.')
  return card
}
