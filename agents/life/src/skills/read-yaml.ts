import { ServiceError } from 'dragoman/errors'

/**
 * What a YAML text says. No aliases, which can make much of little; and, unlike in the home's own files, nothing of the
 * environment is put in: a skill may come from a stranger. @throws ServiceError `invalid-input`
 */
export async function readYaml(text: string): Promise<unknown> {
  // Loaded at first use: it costs a tenth of a server's start.
  const { parseDocument } = await import('yaml')
  try {
    const document = parseDocument(text, { prettyErrors: true })
    const [mistake] = [...document.errors, ...document.warnings]
    if (mistake) throw new Error(mistake.message.split('\n')[0]?.replace(/:$/, ''))
    const value: unknown = document.toJS({ maxAliasCount: 0 })
    if (JSON.stringify(value ?? null).includes('"__proto__":')) throw new Error('__proto__ is no name')
    return value
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ServiceError('invalid-input', `invalid YAML: ${why.replace(/\.$/, '')}`, { cause })
  }
}
