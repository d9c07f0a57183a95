/** What can be seen of a text without understanding it. */
export type Outline = {
  readonly lines: number
  readonly imports: readonly string[]
  readonly names: readonly string[]
  readonly headings: readonly string[]
}

/** How modules of several languages name what they use. */
const imports: readonly RegExp[] = [
  /^\s*(?:import|export)\b[^'"\n]{0,500}['"]([^'"\n]+)['"]/,
  /\brequire\(\s*['"]([^'"\n]+)['"]\s*\)/,
  /^\s*from\s+([\w.]+)\s+import\b/,
  /^\s*import\s+([\w.]+)\s*(?:;|$|as\b)/,
  /^\s*use\s+([\w:]+)/,
  /^\s*#include\s+[<"]([^>"\n]+)[>"]/,
  /^\}\s*from\s+['"]([^'"\n]+)['"]/,
]

/** How they name what they define, at the beginning of a line. */
const definitions: readonly RegExp[] = [
  /^(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)/,
  /^(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+([\w$]+)/,
  /^(?:export\s+)?(?:declare\s+)?(?:interface|enum|type)\s+([\w$]+)/,
  /^(?:export\s+)?(?:const|let|var)\s+([\w$]+)\s*(?::[^=]{1,200})?=\s*(?:async\s*)?(?:\(|function\b|[\w$]+\s*=>)/,
  /^\s*(?:async\s+)?def\s+(\w+)/,
  /^func\s+(?:\([^)\n]*\)\s*)?(\w+)/,
  /^\s*(?:pub(?:\([^)\n]*\))?\s+)?(?:async\s+)?(?:fn|struct|trait)\s+(\w+)/,
]

/** In a longer line nobody has written a heading or an import. */
const LONGEST_LINE = 1000

export function outlineOf(text: string): Outline {
  const lines = text === '' ? [] : text.replace(/\n$/, '').split('\n')
  const read = lines.filter((line) => line.length <= LONGEST_LINE)
  const all = (patterns: readonly RegExp[]): string[] => [
    ...new Set(read.flatMap((line) => firstOf(line, patterns) ?? [])),
  ]
  const names = all(definitions)
  const found = all(imports)
  // A `#` begins a heading only where nothing is code: in a script it begins a remark.
  const isProse = names.length === 0 && found.length === 0 && !text.startsWith('#!')
  return { lines: lines.length, imports: found, names, headings: isProse ? all([/^#{1,6}\s+(.+)$/]) : [] }
}

function firstOf(line: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(line)?.[1]
    if (found !== undefined) return found
  }
  return undefined
}
