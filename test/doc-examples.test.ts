import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { ENTRIES, exportsOf, programOf, type Exported } from './support/doc-examples.ts'
import { fieldPrograms, translations } from './support/field-tables.ts'
import { isFull } from './support/is-full.ts'

const ROOT = join(import.meta.dirname, '..')
const CONTEXT = 'test/support/example-context.ts'
const exportNames = Object.keys(ENTRIES).flatMap(exportsOf)

/** A program of the documentation. It runs, unless it is a `tsx` file. */
type Program = { readonly name: string; readonly type: string; readonly code: string }

const nameOf = ({ entry, name, isType }: Exported): string =>
  `${entry} ${isType ? 'type ' : ''}${name}`.replaceAll(/\W+/g, '-')
const examples: readonly Program[] = exportNames
  .filter(({ example }) => example !== undefined)
  .map((each) => ({
    name: nameOf(each),
    type: 'ts',
    code: programOf(each, { context: CONTEXT, known: exportNames }),
  }))

/** Blocks marked `ts` compile and run, those marked `tsx` compile. Fragments of programs are marked `typescript`. */
const pages: readonly Program[] = globSync('docs/{guide,reference,agents,operate}/**/*.md', { cwd: ROOT })
  .toSorted()
  .flatMap((file) => {
    const blocks = readFileSync(join(ROOT, file), 'utf8').matchAll(/^```(tsx?)\n(.*?)^```$/gms)
    return Array.from(blocks, ([, type = '', code = ''], at) => ({
      name: `${file}-${at + 1}`.replaceAll(/\W+/g, '-'),
      type,
      code: type === 'ts' ? withContext(code) : code,
    }))
  })

/** The program with what it takes for granted. Its server listens on any port, in a home of its own. */
function withContext(code: string): string {
  const example = code
    .replaceAll(/import \{([^}]*)\} from 'dragoman'\n/g, (_line, names: string) => {
      const others = names.split(',').filter((name) => !['', 'createServer'].includes(name.trim()))
      return others.length > 0 ? `import {${others.join(',')}} from 'dragoman'\n` : ''
    })
    .replaceAll('port: 3033', 'port: 0')
    .replaceAll("'http://127.0.0.1:3033/ag-ui/dice'", '`${url}/ag-ui/dice`')
    .replaceAll('process.argv.slice(2)', "['--port', '0']")
  const program = { entry: 'dragoman', name: '', isType: false, file: undefined, example }
  return programOf(program, { context: CONTEXT, known: exportNames })
}

/** Its docstrings are those of the API's own document. */
const MADE = 'packages/client/src/api-types.ts'

it('every export has an example', () => {
  expect(exportNames.length).toBeGreaterThan(100)
  const without = exportNames.filter(({ example, file }) => example === undefined && file !== MADE)
  expect(without.map(nameOf)).toEqual([])
})

it.each(translations)('the table of $file has the same fields in translation', ({ names, translated }) => {
  expect(translated).toEqual(names)
})

describe('the programs of the documentation and, in the full run, of docstrings', () => {
  // Together: one compilation of the packages that they import serves all.
  const programs = isFull ? [...pages, ...examples] : pages
  const runnable = programs.filter(({ type }) => type === 'ts').map(({ name }) => [name])
  let folder = ''
  let closeAll = async (): Promise<void> => undefined
  beforeAll(async () => {
    // Test files share a process: another file may have closed the context that it loaded.
    vi.resetModules()
    ;({ closeAll } = await import('./support/example-context.ts'))
    await mkdir(join(ROOT, '.setup'), { recursive: true })
    folder = await mkdtemp(join(ROOT, '.setup/programs-'))
    for (const { name, type, code } of [...programs, ...fieldPrograms])
      await writeFile(join(folder, `${name}.${type}`), code)
    const compilerOptions = { jsx: 'react-jsx' }
    const config = { extends: '../../tsconfig.json', compilerOptions, include: ['*.ts', '*.tsx'] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  })
  afterAll(async () => {
    await closeAll()
    await rm(folder, { recursive: true, force: true })
  })

  it('exist', () => {
    expect(pages.length).toBeGreaterThan(20)
    expect(examples.length).toBeGreaterThan(100)
  })

  it('compile, and tables have the fields of their types', { timeout: 180_000 }, async () => {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const compiled = promisify(execFile)(process.execPath, [compiler, '-p', folder])

    const { stdout } = await compiled.catch((error: unknown) => error as { stdout: string })

    // Agents that a page imports are checked elsewhere, with types that a page's React replaces.
    expect(stdout.split('\n').filter((line) => line.startsWith('.setup/'))).toEqual([])
  })

  it.each(runnable)('%s runs', async (name) => {
    await import(join(folder, `${name}.ts`))
  })
})
