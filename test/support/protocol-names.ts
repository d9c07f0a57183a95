import { IS_TEST } from './import-rules.ts'

/** A protocol as the sources declare it: its name, its constant, and the folder or package that it belongs to. */
type Declared = { readonly name: string; readonly constant: string; readonly home: string }

const DECLARATION =
  /export const (\w+)\b[^=;]*\bProtocol\b[^=;]*= \{\s*(?:\.\.\.\w+,\s*)?(?:\/\/[^\n]*\s*)?name: '([\w-]+)'/g

/** The protocols of all packages. The core has a folder for each of its own. */
export function protocolsIn(sources: ReadonlyMap<string, string>): Declared[] {
  return [...sources].flatMap(([path, source]) =>
    Array.from(source.matchAll(DECLARATION), ([, constant = '', name = '']) => ({
      name,
      constant,
      home: homeOf(path),
    })),
  )
}

/** `packages/dragoman/src/protocols/native/`, or `agents/jobs/`. */
function homeOf(path: string): string {
  const inCore = /^packages\/dragoman\/src\/protocols\/[\w-]+\//.exec(path)?.[0]
  return inCore ?? `${path.split('/').slice(0, 2).join('/')}/`
}

/** Where a file decides by a protocol of elsewhere what the protocol itself must say. */
export function protocolComplaints(path: string, source: string, declared: readonly Declared[]): string[] {
  // Tests may compare with any of them.
  if (IS_TEST.test(path)) return []
  return declared
    .filter(({ home }) => !path.startsWith(home))
    .flatMap(({ name, constant }) => {
      const found = comparisonOf(name, constant).exec(source)?.[0]
      return found === undefined ? [] : [`${path} compares a protocol: ${found}`]
    })
}

/** The name in a comparison, a case or a set; or the constant, or its name, in a comparison. */
function comparisonOf(name: string, constant: string): RegExp {
  const literal = `['"]${name}['"]`
  const value = String.raw`(?:${literal}|\b${constant}\b(?:\.name\b)?(?![\w.(]))`
  const equals = '[!=]==?'
  return new RegExp(
    [
      String.raw`${equals}\s*${value}`,
      String.raw`${value}\s*${equals}`,
      String.raw`\bcase\s+${value}`,
      String.raw`new Set(?:<[^>]*>)?\(\[[^\]]*${value}`,
    ].join('|'),
  )
}
