import { relative } from 'node:path/posix'

import { serveWorker } from '@dragoman/agent-kit/isolate/isolated-worker'
import { ServiceError } from 'dragoman/errors'
import { textOf } from './held-file.ts'
import { pathPattern } from './path-pattern.ts'
import { javascriptRegExp } from './regex.ts'
import { MAX_LINE_LENGTH, type Ground, type Hit, type Lines } from './searcher.ts'
import { filesBelow } from './files-below.ts'

/** The thread on which folders are searched where ripgrep is not there: an expression may take for ever. */

export type PlainRequest = { readonly ground: Ground; readonly lines?: Lines } | 'go-on'
/** Of a search for files their paths, else lines. */
export type PlainAnswer = { readonly found: readonly (string | Hit)[]; readonly isAll: boolean }

const MAX_BATCH_SIZE = 200
/** So that the one who asks may stop it, and sees what there is, in ms. */
const AT_ONCE_MS = 100
/** Lines after which others have their turn. */
const LINES_AT_ONCE = 1000
let search: AsyncGenerator<string | Hit | undefined> | undefined

serveWorker<PlainRequest, PlainAnswer>(async (request) => {
  if (request !== 'go-on')
    search = request.lines ? linesOf(request.ground, request.lines) : pathsOf(request.ground)
  const found: (string | Hit)[] = []
  const until = performance.now() + AT_ONCE_MS
  while (search && found.length < MAX_BATCH_SIZE && performance.now() < until) {
    const { value, done } = await search.next()
    if (done) search = undefined
    else if (value !== undefined) found.push(value)
  }
  return { found, isAll: search === undefined }
})

async function* pathsOf(ground: Ground): AsyncGenerator<string | undefined> {
  for await (const file of filesBelow(ground)) yield file?.path
}

async function* linesOf(ground: Ground, { regex, names }: Lines): AsyncGenerator<Hit | undefined> {
  const wanted = compiled(regex)
  const isNamed = names === undefined ? undefined : pathPattern('include', names)
  for await (const file of filesBelow(ground)) {
    yield undefined
    if (file === undefined || isNamed?.(relative(ground.start, file.path)) === false) continue
    const text = await textOf(ground.bounds, file.at)
    if (text !== undefined) yield* hitsIn(file.path, text, wanted)
  }
}

function compiled(regex: string): RegExp {
  try {
    return javascriptRegExp(regex)
  } catch (error) {
    const why = error instanceof Error ? /: ([^:]+)$/.exec(error.message)?.[1] : undefined
    throw new ServiceError('invalid-input', (why ?? 'it is not one').toLowerCase())
  }
}

function* hitsIn(path: string, text: string, wanted: RegExp): Generator<Hit | undefined> {
  for (let at = 0, line = 1; at < text.length; line += 1) {
    const end = text.indexOf('\n', at)
    const next = end === -1 ? text.length : end
    const said = text.slice(at, next).replace(/\r$/, '')
    if (wanted.test(said))
      yield { path, line, text: said.slice(0, MAX_LINE_LENGTH), cut: said.length > MAX_LINE_LENGTH }
    else if (line % LINES_AT_ONCE === 0) yield undefined
    at = next + 1
  }
}
