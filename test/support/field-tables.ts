import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** A table of the documentation whose first column names the fields of a type. */
type FieldTable = {
  readonly file: string
  /** The heading above it. */
  readonly under: string
  /** A translation of the page, and the heading there. */
  readonly translation?: readonly [file: string, under: string]
  /** The type, as a program writes it. */
  readonly type: string
  readonly imports: string
}

const tables: readonly FieldTable[] = [
  {
    file: 'docs/guide/own-agent.md',
    under: '## The agent',
    translation: ['docs/zh/guide/own-agent.md', '## 智能体的字段'],
    type: 'AgentOptions<AgentTools>',
    imports: "import type { AgentOptions, AgentTools } from 'dragoman'",
  },
  {
    file: 'docs/reference/agent-module.md',
    under: '## Fields',
    type: "Omit<AgentModule, 'agent'>",
    imports: "import type { AgentModule } from 'dragoman'",
  },
  {
    file: 'docs/guide/tools.md',
    under: '## What a tool gets',
    translation: ['docs/zh/guide/tools.md', '## 工具得到什么'],
    type: 'ToolContext',
    imports: "import type { ToolContext } from 'dragoman'",
  },
  {
    file: 'docs/reference/client.md',
    under: '## resumableFetch',
    type: 'ResumableOptions',
    imports: "import type { ResumableOptions } from '@dragoman/client'",
  },
]

export const translations = tables.flatMap(({ file, under, translation }) =>
  translation ? [{ file, names: fieldsIn(file, under), translated: fieldsIn(...translation) }] : [],
)

/** Programs that compile if each table has exactly the fields of its type. A compiler names those that it lacks. */
export const fieldPrograms = tables.map(({ file, under, type, imports }) => ({
  name: `fields-of-${file}-${under}`.replaceAll(/\W+/g, '-'),
  type: 'ts',
  code: [
    imports,
    `type Fields = keyof (${type})`,
    `type Documented = ${fieldsIn(file, under)
      .map((name) => `'${name}'`)
      .join(' | ')}`,
    'type None<Names> = [Names] extends [never] ? true : Names',
    'export const unknownFields: None<Exclude<Documented, Fields>> = true',
    'export const fieldsNotDocumented: None<Exclude<Fields, Documented>> = true',
    ...argumentChecks(file, type),
    '',
  ].join('\n'),
}))

/** Lines for what a page writes as `` `name({ a, b })` ``: these are fields of the first parameter of `name`. */
function argumentChecks(file: string, type: string): string[] {
  const calls = readFileSync(join(ROOT, file), 'utf8').matchAll(/`(\w+)\(\{ ([\w, ]+) \}\)`/g)
  return Array.from(calls, ([, name = '', list = '']) => {
    const names = list
      .split(', ')
      .map((each) => `'${each}'`)
      .join(' | ')
    const fields =
      `(${type}) extends { readonly ${name}?: infer F } ` +
      `? F extends (first: infer G, ...rest: never[]) => unknown ? keyof G : never : ${names}`
    return `export const arguments_${name}: None<Exclude<${names}, ${fields}>> = true`
  })
}

/** The names in the first column of the first table under a heading. A cell may have several. */
function fieldsIn(file: string, under: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const at = text.indexOf(`\n${under}\n`)
  if (at < 0) throw new Error(`${file} has no heading ${under}.`)
  const rows = /(?:^\|.*\n)+/m.exec(text.slice(at))?.[0].split('\n').slice(2) ?? []
  const cells = rows.map((row) => row.split(/(?<!\\)\|/)[1] ?? '')
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`(\w+)/g), ([, name = '']) => name))
}
