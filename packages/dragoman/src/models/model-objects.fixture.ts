import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'

import type { LanguageModel } from '../agents/index.ts'
import { createModels } from './index.ts'

type User = Extract<LanguageModelV4CallOptions['prompt'][number], { role: 'user' }>
export const user = (text: string, ...more: User['content']): User => ({
  role: 'user',
  content: [{ type: 'text', text }, ...more],
})

/** A model object as the registry gives it to an engine. */
export function load(model: LanguageModel) {
  return createModels({ env: {}, offlinePace: 0 }).choose({ primary: model, retryDelayMs: 1 }).load()
}

/** The parts with which a model object answers a prompt. */
export async function ask(
  model: LanguageModel,
  text: string,
  more: Partial<LanguageModelV4CallOptions> = {},
): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await (
    await load(model)
  ).doStream({
    prompt: [{ role: 'system', content: 'You find jobs.' }, user(text)],
    tools: [{ type: 'function', name: 'jobs_search', inputSchema: { type: 'object', properties: {} } }],
    ...more,
  })
  return Array.fromAsync(stream)
}
