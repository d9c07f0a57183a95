import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { relative } from 'node:path/posix'

import { answerAside } from '../../../aside.ts'
import { ServiceError } from '../../../errors.ts'
import { pathPattern } from './path-pattern.ts'
import { javascriptRegExp } from './regex.ts'
import { MOST_OF_FILE, MOST_OF_LINE, type Ground, type Hit, type Lines } from './searcher.ts'
import { filesBelow } from './walk.ts'

/** The thread on which folders are searched where ripgrep is not there: an expression may take for ever. */

export type PlainRequest = { readonly ground: Ground; readonly lines?: Lines } | 'go-on'
/** Of a search for files their paths, else lines. */
export type PlainAnswer = { readonly found: readonly (string | Hit)[]; readonly isAll: boolean }

const MOST_AT_ONCE = 200
/** So that the one who asks may stop it, and sees what there is, in ms. */
const AT_ONCE_MS = 100
/** Lines after which others have their turn. */
const LINES_AT_ONCE = 1000
/** A file in whose beginning there is a NUL is no text, in bytes. */
const BEGINNING = 64 * 1024

/** What was a file a moment ago may be a link or a pipe now. */
const AS_IT_IS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** How texts in UTF-16 begin. */
const WIDE = new Map([
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
])

let search: AsyncGenerator<string | Hit | undefined> | undefined

answerAside<PlainRequest, PlainAnswer>(async (request) => {
  if (request !== 'go-on')
    search = request.lines ? linesOf(request.ground, request.lines) : filesBelow(request.ground)
  const found: (string | Hit)[] = []
  const until = performance.now() + AT_ONCE_MS
  while (search && found.length < MOST_AT_ONCE && performance.now() < until) {
    const { value, done } = await search.next()
    if (done) search = undefined
    else if (value !== undefined) found.push(value)
  }
  return { found, isAll: search === undefined }
})

async function* linesOf(ground: Ground, { regex, names }: Lines): AsyncGenerator<Hit | undefined> {
  const wanted = compiled(regex)
  const isNamed = names === undefined ? undefined : pathPattern('include', names)
  for await (const path of filesBelow(ground)) {
    yield undefined
    if (path === undefined || isNamed?.(relative(ground.start, path)) === false) continue
    const text = await textOf(join(ground.root, path))
    if (text !== undefined) yield* hitsIn(path, text, wanted)
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
      yield { path, line, text: said.slice(0, MOST_OF_LINE), cut: said.length > MOST_OF_LINE }
    else if (line % LINES_AT_ONCE === 0) yield undefined
    at = next + 1
  }
}

/** What a file says: nothing where it is no text, too large, or cannot be read. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, AS_IT_IS)
    const found = await file.stat()
    if (!found.isFile() || found.size > MOST_OF_FILE) return undefined
    const bytes = await file.readFile()
    const wide = WIDE.get(bytes.toString('hex', 0, 2))
    if (wide !== undefined) return new TextDecoder(wide).decode(bytes)
    const nul = bytes.indexOf(0)
    if (nul !== -1 && nul < BEGINNING) return undefined
    return new TextDecoder().decode(nul === -1 ? bytes : bytes.subarray(0, nul))
  } catch {
    return undefined
  }
}
