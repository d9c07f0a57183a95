import type { Tool, ToolContext } from 'dragoman/agents'
import { runTool } from '../../../../packages/dragoman/src/agents/run-tool.fixture.ts'
import type { Json } from 'dragoman/events'
import type { Language } from '../language.ts'

/** A card as a page gets it. */
export type ShownCard = { readonly [field: string]: Json } & { readonly text: string }

/** Calls a tool as a run does. Resolves to its card after a round trip through JSON. For tests. */
export async function show(
  tool: Tool,
  input: unknown,
  language: Language,
  call: Partial<ToolContext> = {},
): Promise<ShownCard> {
  const { output, text } = await runTool(tool, input, { context: { language }, ...call })
  const card = JSON.parse(JSON.stringify(output)) as ShownCard
  if (card.text !== text) throw new Error('The text for the model differs from the text of the card.')
  return card
}
