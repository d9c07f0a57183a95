import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { z } from 'zod'

import { describeMistakes } from '../describe-mistakes.ts'
import { ServiceError } from '../errors.ts'
import {
  describeJsonExcess,
  estimateTokens,
  findJsonExcess,
  parseJson,
  type CallMeter,
} from '../events/index.ts'
import type { ModelChoice } from './model-choice.ts'
import { generateText } from './generate-text.ts'

type Question = { readonly instructions: string; readonly text: string; readonly maxOutputTokens?: number }

/** An answer of several paragraphs. */
const DEFAULT_MAX_OUTPUT_TOKENS = 4000

/** Does what asks a model, and counts the calls: the user who asks pays. `promptTokens`: those of the question. */
export type ModelMeter = <T>(promptTokens: number, ask: (meter: CallMeter) => Promise<T>) => Promise<T>

/**
 * Asks a model apart from the conversation; which one, is chosen each time. The demo model is not asked: it
 * judges nothing. Each question is metered as one, with its second try.
 */
export function createToolModel(choose: () => ModelChoice, meter: ModelMeter) {
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
    ) => {
      const choice = chooseConfigured()
      return meter(promptTokens(question), (calls) =>
        generateText(choice, { ...question, maxOutputTokens }, signal, calls),
      )
    },

    async object<S extends z.ZodType>(
      { schema, maxOutputTokens = DEFAULT_MAX_OUTPUT_TOKENS, ...question }: Question & { readonly schema: S },
      signal: AbortSignal,
    ): Promise<z.infer<S>> {
      const choice = chooseConfigured()
      return meter(promptTokens(question), (calls) =>
        askForObject(choice, { schema, maxOutputTokens, ...question }, signal, calls),
      )
    },
  }
}

function promptTokens({ instructions, text }: Question): number {
  return estimateTokens(instructions) + estimateTokens(text)
}

type ObjectQuestion<S> = Question & { readonly schema: S; readonly maxOutputTokens: number }

/** @throws ServiceError `model-failed` if the answers do not match the schema, or if there is no room for another */
async function askForObject<S extends z.ZodType>(
  choice: ModelChoice,
  { schema, maxOutputTokens, ...question }: ObjectQuestion<S>,
  signal: AbortSignal,
  meter: CallMeter,
): Promise<z.infer<S>> {
  const jsonSchema = z.toJSONSchema(schema) as JsonSchema
  const request = {
    text: question.text,
    instructions: `${question.instructions}\n\n${JSON_ONLY_RULE}\n${JSON.stringify(jsonSchema)}`,
    maxOutputTokens,
    responseFormat: { type: 'json', schema: jsonSchema } as const,
  }
  const first = await generateText(choice, request, signal, meter)
  const read = parseObject(schema, first)
  if ('value' in read) return read.value
  const mismatch = (): ServiceError =>
    new ServiceError('model-failed', `The model ${choice.name} gave no answer of the form asked for.`)
  if (meter.hasRoom === false) throw mismatch()
  const more: LanguageModelV4Prompt = [
    { role: 'assistant', content: [{ type: 'text', text: first.trim() || '{}' }] },
    { role: 'user', content: [{ type: 'text', text: `${read.mistake}\n${RETRY_RULE}` }] },
  ]
  const second = parseObject(schema, await generateText(choice, { ...request, more }, signal, meter))
  if ('value' in second) return second.value
  throw mismatch()
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
  const excess = findJsonExcess(json)
  if (excess) return { mistake: `That has ${describeJsonExcess(excess)}.` }
  const value = parseJson(json)
  if (value === undefined) return { mistake: 'That is not one JSON object.' }
  const read = schema.safeParse(value)
  return read.success ? { value: read.data } : { mistake: describeMistakes(read.error.issues) }
}
