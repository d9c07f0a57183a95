import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'

import { readConfig } from 'dragoman/config'
import { ServiceError } from 'dragoman/errors'
import { bundledAgents } from '../main.ts'

/**
 * Parses the arguments of a command that works on a home.
 * @throws ServiceError `invalid-request` with `usage`
 */
export function parseCommand<const Flags extends ParseArgsOptionsConfig>(
  args: readonly string[],
  flags: Flags,
  usage: string,
) {
  const parse = () => {
    try {
      return parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: true })
    } catch {
      // The message of Node is about "--" and positionals, which does not help here.
      throw new ServiceError('invalid-request', usage)
    }
  }
  const { values, positionals } = parse()
  const { home: folder } = values as { home?: string }
  const { home } = readConfig(folder === undefined ? [] : ['--home', folder], process.env, bundledAgents)
  return { values, positionals, home }
}
