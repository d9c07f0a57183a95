import { isServiceError } from 'dragoman/errors'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { readYaml } from './read-yaml.ts'

/** What a YAML text says, and a note for each part of it that cannot be read. */
export type YamlParts = { readonly value: unknown; readonly notes: readonly string[] }

/** Lines of a text, and the number of the first one. */
type Block = { readonly at: number; readonly lines: readonly string[] }

/**
 * Reads a YAML text. If it is not YAML as a whole, each entry and each item of a list is read by itself, so that one
 * mistake costs only its own part.
 */
export async function readYamlParts(text: string): Promise<YamlParts> {
  const whole = await readOr(text)
  if ('value' in whole) return { value: whole.value, notes: [] }
  const lines = text.split(/\r?\n/)
  if (lines.find((line) => line.trim() !== '' && !line.startsWith('#'))?.startsWith('- '))
    return readItems({ at: 1, lines })
  const read = await readEntries({ at: 1, lines })
  return Object.keys(read.value as object).length > 0 ? read : { value: undefined, notes: [whole.fault] }
}

/** Reads the fields of a map. Lines at its margin that begin no field are passed over. */
async function readEntries(block: Block): Promise<YamlParts> {
  const value: { [field: string]: unknown } = {}
  const notes: string[] = []
  const { blocks, strays } = split(block, /^[\w-]+[ \t]*:(?:[ \t]|$)/)
  if (strays.length > 0) notes.push(`line ${strays.slice(0, 3).join(', ')} is no field`)
  for (const { at, lines } of blocks) {
    const [first = ''] = lines
    const colon = first.indexOf(':')
    const field = first.slice(0, colon).trimEnd()
    const rest = first.slice(colon + 1).trimStart()
    if (Object.hasOwn(value, field)) {
      notes.push(`line ${at}: ${field} stands there twice`)
      continue
    }
    const read = await readEntry({ at, lines }, field, rest)
    notes.push(...read.notes)
    if (read.value !== undefined) value[field] = read.value
  }
  return { value, notes }
}

async function readEntry({ at, lines }: Block, field: string, rest: string): Promise<YamlParts> {
  const read = await readOr(lines.join('\n'))
  if ('value' in read) {
    const fields = read.value as { readonly [field: string]: unknown }
    return { value: fields[field], notes: [] }
  }
  const more = lines.slice(1).filter((line) => line.trim() !== '' && !/^\s*#/.test(line))
  // A text with a colon in it needs quotes in YAML, and seldom has them.
  if (more.length === 0 && /^[\p{L}\p{N}]/u.test(rest)) return { value: rest.trim(), notes: [] }
  if (rest === '' && more[0]?.trimStart().startsWith('- '))
    return readItems({ at: at + 1, lines: lines.slice(1) })
  return { value: undefined, notes: [`line ${at}: ${read.fault}`] }
}

/** Reads the items of a list. */
async function readItems(block: Block): Promise<YamlParts> {
  const margin = /^\s*/.exec(block.lines.find((line) => /^\s*- /.test(line)) ?? '')?.[0] ?? ''
  const dedented = block.lines.map((line) => (line.startsWith(margin) ? line.slice(margin.length) : line))
  const value: unknown[] = []
  const notes: string[] = []
  for (const { at, lines } of split({ at: block.at, lines: dedented }, /^- /).blocks) {
    const read = await readOr(lines.join('\n'))
    if ('fault' in read) notes.push(`line ${at}: ${read.fault}`)
    else if (Array.isArray(read.value)) value.push(...(read.value as unknown[]))
  }
  return { value, notes }
}

/** Cuts lines into blocks that each begin with a line that matches. `strays`: lines at the margin in no block. */
function split({ at, lines }: Block, begins: RegExp): { blocks: Block[]; strays: number[] } {
  const blocks: { at: number; lines: string[] }[] = []
  const strays: number[] = []
  for (const [index, line] of lines.entries()) {
    if (begins.test(line)) blocks.push({ at: at + index, lines: [line] })
    else if (/^(?:[ \t#-]|$)/.test(line)) blocks.at(-1)?.lines.push(line)
    else strays.push(at + index)
  }
  return { blocks, strays }
}

async function readOr(text: string): Promise<{ value: unknown } | { fault: string }> {
  try {
    return { value: await readYaml(text) }
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { fault: toSingleLine(error.message, 200) }
  }
}
