import { relative } from 'node:path/posix'

import { serveWorker } from 'dragoman/isolate'
import { ServiceError } from 'dragoman/errors'
import { readSearchText } from './read-search-text.ts'
import { pathPattern } from './path-pattern.ts'
import { MAX_LINE_LENGTH, type SearchArea, type Hit, type LinePattern } from './searcher.ts'
import { walkFiles } from './walk-files.ts'

/** The thread that searches without ripgrep, because an expression may take forever. */

export type PlainRequest = { readonly ground: SearchArea; readonly lines?: LinePattern } | 'go-on'
/** Of a search for files their paths, else lines. */
export type PlainAnswer = { readonly found: readonly (string | Hit)[]; readonly isAll: boolean }

const MAX_BATCH_SIZE = 200
/** So that the one who asks may stop it, and sees what there is, in ms. */
const BATCH_MS = 100
/** Lines after which others have their turn. */
const MAX_BATCH_LINES = 1000
let search: AsyncGenerator<string | Hit | undefined> | undefined

serveWorker<PlainRequest, PlainAnswer>(async (request) => {
  if (request !== 'go-on')
    search = request.lines ? searchLines(request.ground, request.lines) : searchPaths(request.ground)
  const found: (string | Hit)[] = []
  const until = performance.now() + BATCH_MS
  while (search && found.length < MAX_BATCH_SIZE && performance.now() < until) {
    const { value, done } = await search.next()
    if (done) search = undefined
    else if (value !== undefined) found.push(value)
  }
  return { found, isAll: search === undefined }
})

async function* searchPaths(ground: SearchArea): AsyncGenerator<string | undefined> {
  for await (const file of walkFiles(ground)) yield file?.path
}

async function* searchLines(
  ground: SearchArea,
  { regex, names }: LinePattern,
): AsyncGenerator<Hit | undefined> {
  const pattern = compileRegex(regex)
  const isNamed = names === undefined ? undefined : pathPattern('include', names)
  for await (const file of walkFiles(ground)) {
    yield undefined
    if (file === undefined || isNamed?.(relative(ground.start, file.path)) === false) continue
    const text = await readSearchText(ground.bounds, file.at)
    if (text !== undefined) yield* findHits(file.path, text, pattern)
  }
}

function compileRegex(pattern: string): RegExp {
  const [, flags = '', source = pattern] = /^\(\?([ims]+)\)(.*)$/s.exec(pattern) ?? []
  try {
    // The user's own pattern, for a line of at most 10,485,760 characters. The worker ends when its time is over.
    return new RegExp(source, `u${flags}`)
  } catch (error) {
    const reason = error instanceof Error ? /: ([^:]+)$/.exec(error.message)?.[1] : undefined
    throw new ServiceError('invalid-input', (reason ?? 'it is not one').toLowerCase())
  }
}

function* findHits(path: string, text: string, pattern: RegExp): Generator<Hit | undefined> {
  for (let at = 0, line = 1; at < text.length; line += 1) {
    const end = text.indexOf('\n', at)
    const next = end === -1 ? text.length : end
    const lineText = text.slice(at, next).replace(/\r$/, '')
    if (pattern.test(lineText))
      yield { path, line, text: lineText.slice(0, MAX_LINE_LENGTH), cut: lineText.length > MAX_LINE_LENGTH }
    else if (line % MAX_BATCH_LINES === 0) yield undefined
    at = next + 1
  }
}
