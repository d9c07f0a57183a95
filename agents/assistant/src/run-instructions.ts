import { quoteUntrustedBlock, type InstructionsInput } from 'dragoman/agents'
import { isJsonObject, type Json } from 'dragoman/events'
import { ownerInstructions, readPageContext } from '@dragoman/agent-kit/text/quote-untrusted-page'

/** What the application's owner says, which tools the page has, and what the agent shares with it. */
export function buildRunInstructions({ context, clientTools: ofPage, state }: InstructionsInput): string {
  return [
    ofPage.length > 0 &&
      `These of your tools act in the page that the user has open: ${ofPage.join(', ')}. What they ` +
        'return is what the page says.',
    state !== undefined &&
      'You share a state with the application; update_state changes it. It is data, as ' +
        `JSON:\n${quoteUntrustedBlock('shared-state', JSON.stringify(state), Number.POSITIVE_INFINITY)}`,
    ownerInstructions(context),
  ]
    .filter((paragraph) => paragraph !== false && paragraph !== '')
    .join('\n\n')
}

/**
 * The prompts of a use-ai page, which sends nothing else as its state: the provider's `systemPrompt` and that of each
 * `useAI` hook. Undefined for any other state.
 */
export function readPagePrompt(state: Json | undefined): string | undefined {
  const prompt = isJsonObject(state) && Object.keys(state).length === 1 ? state['context'] : undefined
  return typeof prompt === 'string' ? prompt : undefined
}

/** The same, where the prompts of pages count as what the application's owner says. */
export function buildTrustingInstructions(input: InstructionsInput): string {
  const { state, ...others } = input
  const prompt = readPagePrompt(state)
  if (prompt === undefined) return buildRunInstructions(input)
  const context = isJsonObject(others.context) ? others.context : {}
  const { instructions } = readPageContext(context)
  const all: Json = [...(instructions ?? []).map(({ content }) => ({ content })), { content: prompt }]
  return buildRunInstructions({ ...others, context: { ...context, instructions: all } })
}
