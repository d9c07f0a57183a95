import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { parseSync, type Class, type Program } from 'oxc-parser'

import { ENTRIES, exportsOf, type Exported } from '../../test/support/doc-examples.ts'

const ROOT = join(import.meta.dirname, '../..')

export type ApiPage = { readonly params: { readonly entry: string }; readonly content: string }

/** A page for each public entry, made from the docstrings of its exports. */
export function apiPages(): ApiPage[] {
  return Object.keys(ENTRIES).map((entry) => ({
    params: { entry: entry.replace('@dragoman/', '').replace('/', '-') },
    content: pageOf(entry),
  }))
}

function pageOf(entry: string): string {
  const exported = exportsOf(entry)
  const values = exported.filter(({ isType }) => !isType).toSorted(byName)
  const types = exported.filter(({ isType }) => isType).toSorted(byName)
  return [
    `# ${entry}`,
    'This page is generated from the docstrings. A test compiles and runs each example.',
    ...(values.length > 0 ? ['## Functions and values', ...values.map(sectionOf)] : []),
    ...(types.length > 0 ? ['## Types', ...types.map(sectionOf)] : []),
  ].join('\n\n')
}

function byName(one: Exported, other: Exported): number {
  return one.name.localeCompare(other.name)
}

function sectionOf({ name, file = '', example = '' }: Exported): string {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const { program, comments } = parseSync(file, source)
  const [declaration, start] = declarationOf(program, name)
  const comment = comments.findLast(
    ({ type, end }) => type === 'Block' && end <= start && source.slice(end, start).trim() === '',
  )
  return [
    `### ${name}`,
    proseOf(comment?.value ?? ''),
    '```ts',
    signatureOf(source, declaration),
    '```',
    ...(example === '' ? [] : ['```ts', example, '```']),
  ].join('\n')
}

type Declaration = NonNullable<
  Extract<Program['body'][number], { type: 'ExportNamedDeclaration' }>['declaration']
>

/** The declaration of an export, and where its statement starts. */
function declarationOf({ body }: Program, name: string): [Declaration, number] {
  for (const statement of body) {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) continue
    const { declaration } = statement
    const names =
      declaration.type === 'VariableDeclaration'
        ? declaration.declarations.map(({ id }) => id)
        : 'id' in declaration
          ? [declaration.id]
          : []
    if (names.some((id) => id && 'name' in id && id.name === name)) return [declaration, statement.start]
  }
  throw new Error(`No exported declaration of ${name} was found.`)
}

/** The declaration without the bodies of its functions. */
function signatureOf(source: string, declaration: Declaration): string {
  if (declaration.type === 'FunctionDeclaration' && declaration.body)
    return source.slice(declaration.start, declaration.body.start).trim()
  if (declaration.type === 'ClassDeclaration') return classOf(source, declaration)
  return source.slice(declaration.start, declaration.end)
}

function classOf(source: string, { start, body }: Class): string {
  const members = body.body.map((member) => {
    const end = member.type === 'MethodDefinition' ? (member.value.body?.start ?? member.end) : member.end
    return `  ${source.slice(member.start, end).trim()}`
  })
  return [source.slice(start, body.start).trim() + ' {', ...members, '}'].join('\n')
}

/** The text of a docstring up to its first tag that is no inline one. `{@link x}` becomes `x`. */
function proseOf(comment: string): string {
  const text = comment
    .replace(/^\*/, '')
    .replaceAll(/^\s*\* ?/gm, '')
    .replaceAll(/\{@link (\S+?)\}/g, '`$1`')
  const [prose = '', ...tags] = text.split(/^@/m)
  const thrown = tags
    .filter((tag) => tag.startsWith('throws'))
    .map((tag) => `Throws${tag.slice('throws'.length)}`)
  return [prose, ...thrown]
    .map((paragraph) => paragraph.trim().replaceAll('<', '&lt;'))
    .join('\n\n')
    .trim()
}
