import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The examples of the docstrings of what the packages export. */

const ROOT = join(import.meta.dirname, '../..')
const IS_TEST = ['**/*.test.ts', '**/*.fixture.ts', '**/*.contract.ts']

/** Every public entry, by the name under which programs import it. */
export const ENTRIES: Readonly<Record<string, string>> = {
  dragoman: 'packages/dragoman/src/index.ts',
  'dragoman/testing': 'packages/dragoman/src/testing/index.ts',
  '@dragoman/ag-ui': 'packages/ag-ui/src/index.ts',
  '@dragoman/client': 'packages/client/src/index.ts',
  '@dragoman/client/use-chat': 'packages/client/src/use-chat.ts',
  '@dragoman/client/v1': 'packages/client/src/v1.ts',
  '@dragoman/pi': 'packages/pi/src/index.ts',
  '@dragoman/socket-io': 'packages/socket-io/src/index.ts',
  '@dragoman/telemetry': 'packages/telemetry/src/index.ts',
}

export type Exported = {
  readonly entry: string
  readonly name: string
  readonly isType: boolean
  /** The file that declares it, and the example in its docstring. */
  readonly file: string | undefined
  readonly example: string | undefined
}

export function exportsOf(entry: string): readonly Exported[] {
  const file = ENTRIES[entry] ?? ''
  const source = readFileSync(join(ROOT, file), 'utf8')
  const lists = source.matchAll(/^export (type )?\{([^}]*)\} from '([^']+)'/gm)
  const listed = Array.from(lists).flatMap(([, all, names = '', from = '']) =>
    names
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '')
      .map((each) => ({
        name: each.replace(/^type /, ''),
        isType: all !== undefined || each.startsWith('type '),
        sources: sourcesOf(from, dirname(file)),
      })),
  )
  const declarations = source.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)
  const own = Array.from(declarations, ([, name = '']) => ({ name, isType: false, sources: [file] }))
  return [...listed, ...own].map(({ name, isType, sources }) => {
    const { file: declared, example } = declarationOf(name, sources)
    return { entry, name, isType, file: declared, example }
  })
}

/** The files in which a name may be declared that is exported from a module. */
function sourcesOf(from: string, folder: string): readonly string[] {
  const path = from.startsWith('.') ? join(folder, from) : from.replace('dragoman', 'packages/dragoman/src')
  if (path.endsWith('.ts') && !path.endsWith('/index.ts')) return [path]
  return globSync(`${path.replace(/\/index\.ts$/, '')}/**/*.ts`, { cwd: ROOT, exclude: IS_TEST })
}

function declarationOf(name: string, sources: readonly string[]): Pick<Exported, 'file' | 'example'> {
  const kinds = '(?:async )?(?:function\\*?|const|class|type|interface)'
  const declaration = new RegExp(`^export ${kinds} ${name}\\b`, 'm')
  // A folder may pass on what another one declares.
  const all = globSync('packages/dragoman/src/**/*.ts', { cwd: ROOT, exclude: IS_TEST })
  for (const file of [...sources, ...all]) {
    const source = readFileSync(join(ROOT, file), 'utf8')
    const at = source.search(declaration)
    if (at >= 0) return { file, example: exampleIn(source.slice(0, at)) }
  }
  return { file: undefined, example: undefined }
}

/** Of the docstring that ends here. */
function exampleIn(before: string): string | undefined {
  const doc = /\/\*\*(?:(?!\*\/)[^])*\*\/\s*$/.exec(before)?.[0]
  const lines = doc?.split('\n').map((line) => line.replace(/^\s*\*( |$)/, '').replace(/^\s*\*\/$/, ''))
  const start = lines?.findIndex((line) => line.trim() === '@example') ?? -1
  if (!lines || start < 0) return undefined
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => /^@\w/.test(line))
  const example = rest.slice(0, end < 0 ? undefined : end).filter((line) => !line.startsWith('```'))
  return example.join('\n').trim()
}

/** What examples use of other packages. */
const LIBRARIES: Readonly<Record<string, string>> = {
  z: 'zod',
  expect: 'vitest',
  Hono: 'hono',
  DefaultChatTransport: 'ai',
  tool: 'ai',
  native: 'dragoman/protocols',
}

/** An example as a program: it imports what it uses and does not declare, from `context` or from our packages. */
export function programOf(
  { entry, example = '' }: Exported,
  { context, known }: { context: string; known: readonly Exported[] },
): string {
  const contextNames = namesOf(readFileSync(join(ROOT, context), 'utf8'))
  const words = new Set(example.replaceAll(/'[^'\n]*'/g, '').match(/(?<!\w|(?<!\.\.)\.)[A-Za-z]\w*(?!\w*:)/g))
  const missing = [...words].filter(
    (word) => !new RegExp(`\\b(?:const|let|using|function|import) (?:\\{[^}]*\\b)?${word}\\b`).test(example),
  )
  const lines = missing.flatMap((name) => {
    if (contextNames.has(name)) return [`import { ${name} } from '../../${context}'`]
    if (LIBRARIES[name]) return [`import { ${name} } from '${LIBRARIES[name]}'`]
    const found =
      known.find((each) => each.name === name && each.entry === entry) ??
      known.find((each) => each.name === name)
    return found ? [`import ${found.isType ? 'type ' : ''}{ ${name} } from '${found.entry}'`] : []
  })
  return [...lines, '', example, '', 'export {}', ''].join('\n')
}

function namesOf(source: string): ReadonlySet<string> {
  const declarations = source.matchAll(/^export (?:async )?(?:const|function) (?:\{ (\w+) \}|(\w+))/gm)
  return new Set(Array.from(declarations, ([, inner, name]) => inner ?? name ?? ''))
}
