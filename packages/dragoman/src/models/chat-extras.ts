import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

import { isJsonObject, mediaTypeOf, readDataUrl, type Json } from '../events/index.ts'

type Part = LanguageModelV4StreamPart
type JsonObject = { readonly [key: string]: Json }

/**
 * Reads from the raw chunks of chat completions what their package has no place for: the pictures that a model made
 * (`images` of OpenRouter and LiteLLM), and its sources (`annotations`, `citations` of Perplexity and xAI, and
 * `executed_tools` of Groq).
 */
export function createChatExtras(): (chunk: JsonObject) => Part[] {
  const urls = new Set<string>()
  const toSource = (url: Json | undefined, title: Json | undefined): Part[] => {
    if (typeof url !== 'string' || urls.has(url) || !/^https?:/i.test(url) || !URL.canParse(url)) return []
    urls.add(url)
    const own = typeof title === 'string' && title !== '' && { title }
    // A page is one source of a run, however many steps name it.
    return [{ type: 'source', sourceType: 'url', id: url, url, ...own }]
  }
  return (chunk) => {
    const delta = objectsOf(chunk['choices'])[0]?.['delta']
    const {
      images,
      annotations,
      content,
      executed_tools: tools,
    }: JsonObject = isJsonObject(delta) ? delta : {}
    const pictures = objectsOf(content).filter(({ type }) => type === 'image_url')
    return [
      ...[...listOf(images), ...pictures].flatMap(toFile),
      ...objectsOf(annotations).flatMap((annotation) => {
        const cited = annotation['url_citation']
        const { url, title } = isJsonObject(cited) ? cited : annotation
        return toSource(url, title)
      }),
      ...objectsOf(chunk['search_results']).flatMap(({ url, title }) => toSource(url, title)),
      ...objectsOf(tools)
        .flatMap(({ search_results: found = null }) =>
          objectsOf(isJsonObject(found) ? found['results'] : found),
        )
        .flatMap(({ url, title }) => toSource(url, title)),
      ...listOf(chunk['citations']).flatMap((citation) =>
        isJsonObject(citation) ? toSource(citation['url'], citation['title']) : toSource(citation, undefined),
      ),
    ]
  }
}

/** A picture, by its address or with its content. */
function toFile(image: Json): Part[] {
  const own = isJsonObject(image) ? image : {}
  const about = isJsonObject(own['image_url']) ? own['image_url'] : own
  const url = [image, own['image_url'], about['url'], about['b64_json']].find(
    (each) => typeof each === 'string' && each !== '',
  )
  if (typeof url !== 'string') return []
  if (/^https?:/.test(url) && URL.canParse(url))
    return [{ type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL(url) } }]
  const { mediaType: declared = 'image/png', data } = readDataUrl(url) ?? { data: url }
  const start = Buffer.from(data.slice(0, 64), 'base64')
  return [{ type: 'file', mediaType: mediaTypeOf(start, declared), data: { type: 'data', data } }]
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}

function objectsOf(value: Json | undefined): JsonObject[] {
  return listOf(value).filter(isJsonObject)
}
