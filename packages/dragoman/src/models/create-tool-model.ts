import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { z } from 'zod'

import { ServiceError } from '../errors.ts'
import type { Usage } from '../events/index.ts'
import type { ModelChoice } from './model-choice.ts'
import { generateText } from './generate-text.ts'

type Question = { readonly instructions: string; readonly text: string; readonly maxOutputTokens?: number }

/** An answer of several paragraphs. */
const DEFAULT_MAX_OUTPUT_TOKENS = 4000

/**
 * Asks a model apart from the conversation; which one, is chosen each time. The demo model is not asked: it
 * judges nothing.
 */
export function createToolModel(choose: () => ModelChoice, count: (usage: Usage) => void = () => undefined) {
  const chooseConfigured = (): ModelChoice => {
    const choice = choose()
    if (choice.name !== 'offline') return choice
    throw new ServiceError('model-missing', `This needs a model, and none is configured. ${choice.why}`)
  }
  return {
    name: () => choose().name,

    text: async (
      { maxOutputTokens = DEFAULT_MAX_OUTPUT_TOKENS, ...question }: Question,
      signal: AbortSignal,
    ) => generateText(chooseConfigured(), { ...question, maxOutputTokens }, signal, count),

    async object<S extends z.ZodType>(
      { schema, maxOutputTokens = DEFAULT_MAX_OUTPUT_TOKENS, ...question }: Question & { readonly schema: S },
      signal: AbortSignal,
    ): Promise<z.infer<S>> {
      const choice = chooseConfigured()
      const jsonSchema = z.toJSONSchema(schema) as JsonSchema
      const request = {
        text: question.text,
        instructions: `${question.instructions}\n\n${JSON_ONLY_RULE}\n${JSON.stringify(jsonSchema)}`,
        maxOutputTokens,
        responseFormat: { type: 'json', schema: jsonSchema } as const,
      }
      const first = await generateText(choice, request, signal, count)
      const read = parseObject(schema, first)
      if ('value' in read) return read.value
      const more: LanguageModelV4Prompt = [
        { role: 'assistant', content: [{ type: 'text', text: first.trim() || '{}' }] },
        { role: 'user', content: [{ type: 'text', text: `${read.mistake}\n${RETRY_RULE}` }] },
      ]
      const second = parseObject(schema, await generateText(choice, { ...request, more }, signal, count))
      if ('value' in second) return second.value
      throw new ServiceError('model-failed', `The model ${choice.name} gave no answer of the form asked for.`)
    },
  }
}

type ResponseFormat = NonNullable<LanguageModelV4CallOptions['responseFormat']>
type JsonSchema = NonNullable<Extract<ResponseFormat, { type: 'json' }>['schema']>

/** Not every server that claims to be compatible supports response formats. */
const JSON_ONLY_RULE = 'Answer with one JSON object and nothing else. It fits this JSON schema:'
const RETRY_RULE = 'Give the whole object once more, as the schema asks for it.'

/** Some put a fence or a sentence round their JSON. */
function parseObject<S extends z.ZodType>(
  schema: S,
  text: string,
): { readonly value: z.infer<S> } | { readonly mistake: string } {
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return { mistake: 'That is not one JSON object.' }
  }
  const read = schema.safeParse(value)
  return read.success ? { value: read.data } : { mistake: z.prettifyError(read.error).slice(0, 2000) }
}
