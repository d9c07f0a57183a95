import type { Json } from '../../events/index.ts'
import {
  number,
  object,
  objects,
  parsedArguments,
  readProblem,
  text,
  type JsonObject,
  type LooseObject,
} from './json-fields.ts'
import type { Repair } from './repair-events.ts'

/** Repairs an answer of Gemini's. */
export function createGoogleRepair(): Repair {
  let isEnded = false
  return {
    isEnded: () => isEnded,
    leftOut: ({ response = null, candidates = object(response)?.['candidates'] ?? [] }) => {
      const parts = objects(candidates).flatMap(({ content }) => objects(object(content)?.['parts'] ?? []))
      return parts.every(isReadable) ? undefined : 'a part of a kind that is not known, which is left out'
    },
    take({ error: own = null, response = null, ...fields }) {
      // Some hosts put each chunk into an object of its own.
      const chunk = { ...object(response), ...fields }
      const error = readProblem({ error: own })
      const candidate = objects(chunk['candidates']).find(({ index }) => (number(index) ?? 0) === 0)
      const feedback = object(chunk['promptFeedback'])
      const blockReason = text(feedback?.['blockReason'])
      isEnded ||=
        error !== undefined || blockReason !== undefined || text(candidate?.['finishReason']) !== undefined
      const rest = {
        ...chunk,
        ...(error && {
          error: {
            ...error,
            code: number(error['code']) ?? null,
            status: text(error['status']) ?? 'UNKNOWN',
          },
        }),
        responseId: text(chunk['responseId']),
        usageMetadata: repairUsage(object(chunk['usageMetadata']) ?? object(chunk['usage'])),
        promptFeedback: feedback && { blockReason },
        candidates: undefined,
      }
      const blocked = text(feedback?.['blockReasonMessage'])
      if (!candidate) return [...(blockReason === undefined ? [] : say(blocked)), rest]
      return splitCandidate(candidate, rest)
    },
  }
}

/** The package passes over a chunk if one of its fields is odd. So each field and each part has a chunk of its own. */
function splitCandidate(candidate: JsonObject, rest: LooseObject): LooseObject[] {
  const { content, finishReason, finishMessage, index: _index, ...fieldsOfAll } = candidate
  const { groundingMetadata, ...others } = {
    ...citedPages(fieldsOfAll['citationMetadata']),
    ...fieldsOfAll,
  }
  const { groundingChunks = [], ...grounds } = object(groundingMetadata) ?? {}
  const isFiltered = FILTERED.test(text(finishReason) ?? '')
  const parts = objects(object(content)?.['parts'] ?? []).flatMap(splitPart)
  const fields = [
    ...Object.entries(others).map(([name, value]) => ({ [name]: value })),
    ...(groundingMetadata === undefined ? [] : [{ groundingMetadata: grounds }]),
    ...objects(groundingChunks).map(basedOn),
    ...parts.map((part) => {
      const page = pageOf(part)
      return page ? basedOn({ web: page }) : { content: { role: 'model', parts: [repairPart(part)] } }
    }),
    { finishReason: text(finishReason), finishMessage: text(finishMessage) },
  ]
  const chunks = fields.map((field) => ({ candidates: [field] }))
  return [rest, ...chunks.slice(0, -1), ...(isFiltered ? say(text(finishMessage)) : []), ...chunks.slice(-1)]
}

/** The package reads one kind of each part. */
function splitPart({ text: words, ...part }: JsonObject): readonly JsonObject[] {
  if (words === undefined) return [part]
  return 'functionCall' in part && words !== '' ? [{ text: words }, part] : [{ text: words, ...part }]
}

/** What an answer is based on, of which the package makes a source. */
function basedOn(chunk: JsonObject): LooseObject {
  return { groundingMetadata: { groundingChunks: [chunk] } }
}

/** The address of a file that an answer has by reference. The package has no place for it but a source. */
function pageOf(part: JsonObject): JsonObject | undefined {
  const { fileUri: uri, displayName: title } = object(part['fileData']) ?? {}
  if (typeof uri !== 'string' || !/^https?:/i.test(uri)) return undefined
  return { uri, ...(typeof title === 'string' && { title }) }
}

const KINDS = [
  'text',
  'functionCall',
  'inlineData',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
  'thoughtSignature',
]

function isReadable(part: JsonObject): boolean {
  return KINDS.some((kind) => kind in part) || Object.keys(part).length === 0 || pageOf(part) !== undefined
}

/** The pages that a text repeats, as those that it is based on: the package knows these alone. */
function citedPages(citations: Json | undefined): { readonly groundingMetadata?: Json } {
  const cited = object(citations)
  const pages = objects(cited?.['citationSources'] ?? cited?.['citations'] ?? []).flatMap(({ uri, title }) =>
    typeof uri === 'string' ? [{ web: { uri, ...(typeof title === 'string' && { title }) } }] : [],
  )
  return pages.length > 0 ? { groundingMetadata: { groundingChunks: pages } } : {}
}

/** The reasons of a filter, which the package knows as one. */
const FILTERED = /SAFETY|RECITATION|BLOCKLIST|PROHIBITED_CONTENT|SPII/

/** Why Gemini does not answer. The package has no place for it that readers see. */
function say(words: string | undefined): LooseObject[] {
  if (words === undefined || words.trim() === '') return []
  return [{ candidates: [{ content: { role: 'model', parts: [{ text: words }] } }] }]
}

/** A part of an unknown kind has none of these fields, and says nothing. A signature may come alone, at the end. */
function repairPart(part: JsonObject): LooseObject {
  const call = object(part['functionCall'])
  const thoughtSignature = text(part['thoughtSignature'])
  if (call)
    return {
      functionCall: {
        ...call,
        id: text(call['id']),
        name: text(call['name']),
        args:
          typeof call['args'] === 'string' ? (parsedArguments(call['args']) ?? call['args']) : call['args'],
      },
      thoughtSignature,
    }
  return {
    ...part,
    text: text(part['text']) ?? (isSignatureAlone(part) ? '' : undefined),
    thought: typeof part['thought'] === 'boolean' ? part['thought'] : undefined,
    thoughtSignature,
  }
}

const DETAILS = /Details$/

function repairUsage(usage: JsonObject | undefined): LooseObject | undefined {
  if (!usage) return undefined
  const read = ([name, value]: [string, Json]): [string, unknown][] => {
    if (name.endsWith('Count')) return [[name, number(value)]]
    return DETAILS.test(name) ? [] : [[name, text(value)]]
  }
  return Object.fromEntries(Object.entries(usage).flatMap(read))
}

function isSignatureAlone({ thoughtSignature, ...part }: JsonObject): boolean {
  return typeof thoughtSignature === 'string' && Object.keys(part).every((name) => name === 'thought')
}
