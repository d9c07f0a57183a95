import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'

/** A comment above a pattern that says how long its text is: the pattern is then measured with such a text. */
const BOUND = /\bat most ([\d,]+) characters\b/i
const STACK_PLACE = /(file:\/\/[^\s()]+):(\d+):\d+/g

/**
 * The patterns of source files, each with its place and with the number of characters that a comment above it
 * promises. They are the literals, and what the files give to `RegExp` while they are loaded, lists of phrases too.
 * Where a function makes a pattern, each value that it takes is one letter.
 */
export async function collectPatterns(files) {
  const sources = new Map(files.map((file) => [file, sourceOf(file)]))
  const withCalls = files.filter((file) => sources.get(file).calls.length > 0)
  const made = (await patternsMadeBy(withCalls)).filter(({ places }) => sources.has(places[0].file))
  const loaded = new Set(made.flatMap(({ places }) => places.map(({ file, line }) => `${file}:${line}`)))
  const isMade = ({ places: [{ file, line }] }) => loaded.has(`${file}:${line}`)
  const others = [...sources.values()].flatMap(({ literals, calls }) =>
    literals.concat(calls.filter((call) => !isMade(call))),
  )
  const boundOf = ({ file, line }) => boundAbove(sources.get(file)?.lines ?? [], line)
  return [...others, ...made].map(({ source, flags, places }) => {
    const maxCharacters = places.map(boundOf).find((bound) => bound !== undefined)
    return { source, flags, place: places[0], maxCharacters }
  })
}

function sourceOf(file) {
  const text = readFileSync(file, 'utf8')
  const [literals, calls] = [[], []]
  const placesOf = ({ start }) => [{ file, line: text.slice(0, start).split('\n').length }]
  const visit = (node) => {
    if (node.callee.name === 'RegExp')
      calls.push({ ...patternOfCall(node.arguments), places: placesOf(node) })
  }
  new Visitor({
    Literal: (node) => {
      const { pattern, flags } = node.regex ?? {}
      if (pattern !== undefined) literals.push({ source: pattern, flags, places: placesOf(node) })
    },
    NewExpression: visit,
    CallExpression: visit,
  }).visit(parseSync(file, text).program)
  return { literals, calls, lines: text.split('\n') }
}

/** The source is missing if the call names no text. */
function patternOfCall([pattern, flags]) {
  const flagTexts = flags === undefined ? [''] : textsOf(flags, 'value')
  return { source: textsOf(pattern)?.join('x'), flags: flagTexts?.join('') ?? '' }
}

function textsOf(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value]
  const template = node.type === 'TaggedTemplateExpression' ? node.quasi : node
  const form = template === node ? 'cooked' : 'raw'
  return template.type === 'TemplateLiteral' ? template.quasis.map(({ value }) => value[form]) : undefined
}

/** Loads the files and keeps what this repository gives to `RegExp`, with the lines that led to it. */
async function patternsMadeBy(files) {
  const made = []
  const { RegExp: original } = globalThis
  const keep = (pattern) => {
    const places = [...new Error('place').stack.matchAll(STACK_PLACE)]
      .map(([, url, line]) => ({ file: fileURLToPath(url), line: Number(line) }))
      .filter(({ file }) => file !== import.meta.filename)
    if (places.length > 0) made.push({ source: pattern.source, flags: pattern.flags, places })
    return pattern
  }
  globalThis.RegExp = new Proxy(original, {
    construct: (target, values) => keep(Reflect.construct(target, values)),
    apply: (target, self, values) => keep(Reflect.apply(target, self, values)),
  })
  try {
    // A worker's module refuses to be loaded here: its calls are read instead.
    for (const file of files) await import(pathToFileURL(file).href).catch(() => undefined)
  } finally {
    globalThis.RegExp = original
  }
  return made
}

/** The comment may have several lines. */
function boundAbove(lines, line) {
  let first = line - 1
  while (first > 0 && /^\s*(?:\/\/|\/?\*)/.test(lines[first - 1])) first -= 1
  const [, bound] = BOUND.exec(lines.slice(first, line).join(' ')) ?? []
  return bound === undefined ? undefined : Number(bound.replaceAll(',', ''))
}
