import { isJsonObject, type Json } from '../events/index.ts'

/** The keyword that names the header in which a parameter is sent too. */
const KEYWORD = 'x-mcp-header'
const TYPES: ReadonlySet<Json | undefined> = new Set(['string', 'integer', 'boolean'])
/** The name of a header: of at most 100 characters, as it is sent. */
const NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/
/** What holds values and no schemas. */
const VALUES: ReadonlySet<string> = new Set(['default', 'enum', 'const', 'examples'])

/** Why the headers cannot be sent that the schema of a tool's input names for its parameters, if they cannot. */
export function headerFault(schema: Json): string | undefined {
  const names = new Set<string>()
  const faultOf = (node: Json | undefined, isParameter: boolean): string | undefined => {
    if (Array.isArray(node)) return firstOf(node, (each) => faultOf(each, false))
    if (node === undefined || !isJsonObject(node)) return undefined
    const { [KEYWORD]: name, properties, type, ...others } = node
    if (name !== undefined) {
      if (!isParameter) return `${KEYWORD} is not at a parameter`
      if (typeof name !== 'string' || !NAME.test(name)) return `${KEYWORD} is not the name of a header`
      if (!TYPES.has(type)) return `${KEYWORD} is at a parameter that is no text, integer or boolean`
      if (names.has(name.toLowerCase())) return `${KEYWORD} names a header twice`
      names.add(name.toLowerCase())
    }
    const parameters = properties !== undefined && isJsonObject(properties) ? Object.values(properties) : []
    const rest = Object.entries(others).flatMap(([key, value]) => (VALUES.has(key) ? [] : [value]))
    return firstOf(parameters, (each) => faultOf(each, true)) ?? firstOf(rest, (each) => faultOf(each, false))
  }
  return faultOf(schema, false)
}

function firstOf<T>(values: readonly T[], faultOf: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const fault = faultOf(value)
    if (fault !== undefined) return fault
  }
  return undefined
}
