import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { askModel } from './support/ask-model.ts'
import { events, wireProvider, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const begin = wireWords.find(({ api }) => api === 'responses')?.begin ?? []
const place = { item_id: 'm', output_index: 0, content_index: 0 }
const message = (...annotations: readonly object[]) => ({
  type: 'message',
  id: 'm',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Oslo', annotations }],
})
const words = events(
  { type: 'response.output_item.added', output_index: 0, item: { ...message(), content: [] } } as object,
  { type: 'response.output_text.delta', ...place, delta: 'Oslo' } as object,
)
const added = (annotation: object) =>
  events({ type: 'response.output_text.annotation.added', ...place, annotation } as object)
const done = (item: object) => events({ type: 'response.output_item.done', output_index: 0, item } as object)
const completed = (item: object) =>
  events({ type: 'response.completed', response: { id: 'r', output: [item] } } as object)

const url = 'https://a.example/'
const citation = { type: 'url_citation', url, title: 'A', start_index: 0, end_index: 4 }
const { title: _, ...untitled } = citation

describe('a source of an answer of responses', () => {
  it.each<[string, object, string]>([
    ['that is whole', citation, 'A'],
    ['without a title', untitled, url],
    ['whose title is null', { ...citation, title: null }, url],
    ['without a place', { type: 'url_citation', url, title: 'A' }, 'A'],
    ['as chat completions name it', { type: 'url_citation', url_citation: untitled }, url],
    ['that is a file without its place', { type: 'file_citation', file_id: 'f', filename: 'a.txt' }, 'a.txt'],
  ])('arrives once %s', async (_name, annotation, title) => {
    const item = message({ ...annotation, start_index: 1 })
    provider.play({ body: [...begin, ...words, ...added(annotation), ...done(item), ...completed(item)] })

    const { said, parts } = await askModel(provider.url, 'responses')

    expect(said).toBe('Oslo')
    expect(parts.filter(({ type }) => type === 'source')).toMatchObject([{ title }])
  })

  it.each([
    ['item', [...done(message(citation)), ...completed(message(citation))]],
    ['answer', [...done(message()), ...completed(message(citation))]],
  ])('arrives with the end of the %s', async (_end, ends) => {
    provider.play({ body: [...begin, ...words, ...ends] })

    const { said, parts } = await askModel(provider.url, 'responses')

    expect(said).toBe('Oslo')
    expect(parts.filter(({ type }) => type === 'source')).toMatchObject([{ url, title: 'A' }])
  })
})
