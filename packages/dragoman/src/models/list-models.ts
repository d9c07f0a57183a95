import { z } from 'zod'

import type { Json } from '../events/index.ts'
import { scrub } from '../scrub/index.ts'
import { fetchWithoutRedirects, type ProviderApi } from './provider-api.ts'
import { readJsonReason } from './read-json-reason.ts'
import type { Provider } from './provider.ts'

/**
 * The models that a provider offers for chats, by its own names; or why it tells none. `refused`: it does not take the
 * key. `away`: it does not answer. `unknown`: it has no list.
 */
export type ModelList =
  | { readonly models: readonly string[] }
  | { readonly problem: string; readonly kind: 'refused' | 'away' | 'unknown' }

const TIMEOUT_MS = 5000
const MAX_MODELS = 1000
const MAX_NAME_LENGTH = 200
const MAX_BYTES = 8 * 1024 * 1024

const entry = z.looseObject({
  id: z.string().optional(),
  /** Google: `models/gemini-…`. */
  name: z.string().optional(),
  supportedGenerationMethods: z.array(z.string()).optional(),
  /** OpenRouter. */
  architecture: z.looseObject({ output_modalities: z.array(z.string()).optional() }).nullish(),
  /** Of some hosts: `chat`, `embedding`, `image`. */
  type: z.string().nullish(),
})
type Entry = z.infer<typeof entry>

const listSchema = z.union([
  z.object({ data: z.array(entry) }).transform(({ data }) => data),
  z.object({ models: z.array(entry) }).transform(({ models }) => models),
  z.array(entry),
])

/** Asks a provider for its models. Never rejects. */
export async function listModels({
  name,
  endpoint: { api, baseURL },
  secrets,
}: Pick<Provider, 'name' | 'endpoint' | 'secrets'>): Promise<ModelList> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const request = { headers: headersFor(api, secrets[0]), signal }
  try {
    const response = await fetchWithoutRedirects(addressOf(api, baseURL), request)
    const body = await readJson(response)
    if (response.ok) {
      const found = listSchema.safeParse(body)
      if (found.success) return { models: chatModelsOf(found.data) }
    }
    const reason = scrub(readJsonReason(body) ?? `status ${response.status}`, { secrets })
    return { problem: `${name}: ${reason.replace(/\.$/, '')}.`, kind: kindOf(response.status, reason) }
  } catch {
    return { problem: `${name} does not answer at ${new URL(baseURL).origin}.`, kind: 'away' }
  }
}

function kindOf(status: number, reason: string): 'refused' | 'away' | 'unknown' {
  if (status === 401 || status === 403 || (status === 400 && /key/i.test(reason))) return 'refused'
  return status >= 500 ? 'away' : 'unknown'
}

function addressOf(api: ProviderApi, baseURL: string): string {
  const query = { anthropic: '?limit=1000', google: '?pageSize=1000', chat: '', responses: '' }[api]
  return `${baseURL}/models${query}`
}

function headersFor(api: ProviderApi, key: string | undefined): Record<string, string> {
  if (api === 'anthropic')
    return { 'anthropic-version': '2023-06-01', ...(key !== undefined && { 'x-api-key': key }) }
  if (key === undefined) return {}
  return api === 'google' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}

/** Undefined for what is no JSON. @throws Error for too much of it */
async function readJson({ body }: Response): Promise<Json | undefined> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    if (bytes > MAX_BYTES) throw new Error('The list of models is too long.')
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString()) as Json
  } catch {
    return undefined
  }
}

function chatModelsOf(entries: readonly Entry[]): readonly string[] {
  const names = entries
    .filter(isForChat)
    .flatMap(({ id, name }) => id ?? name?.replace(/^models\//, '') ?? [])
    .filter((each) => each.length <= MAX_NAME_LENGTH)
  return [...new Set(names)].slice(0, MAX_MODELS)
}

/**
 * Parts of the names of models that answer no chat: those for embeddings, speech, pictures, ranking and checks. At most
 * 200 characters.
 */
const OTHER_WORK = [
  /embed|gpt-image|moderation|rerank|stable-diffusion|^(?:babbage|davinci)-/i,
  /(?:^|[/-])(?:bge|e5|gte|all-minilm|whisper|tts|dall-e|sora|veo|imagen|lyria|aqa)(?:[-:.]|$)/i,
  /-(?:tts|transcribe|realtime|audio|image)(?:[-:]|$)/i,
]

function isForChat({ id, name, supportedGenerationMethods: methods, architecture, type }: Entry): boolean {
  if (methods && !methods.includes('generateContent')) return false
  if (architecture?.output_modalities && !architecture.output_modalities.includes('text')) return false
  if (type && /embed|image|audio|rerank|moderation|transcri|video/i.test(type)) return false
  const words = (id ?? name ?? '').slice(0, MAX_NAME_LENGTH)
  return !OTHER_WORK.some((pattern) => pattern.test(words))
}
