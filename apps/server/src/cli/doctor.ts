import { parseArgs } from 'node:util'

import { readConfig, type Config } from 'dragoman/config'
import { isServiceError, ServiceError } from 'dragoman/errors'
import { bundledAgents } from '../main.ts'
import { drivesModel } from 'dragoman/server'
import { callers, database, guests } from './doctor/database.ts'
import { reasonOf, wrong, type Finding } from './doctor/finding.ts'
import { agents, homeFolder, ownFindings } from './doctor/home.ts'
import { line } from './doctor/line.ts'
import { node } from './doctor/machine.ts'
import { models } from './doctor/models.ts'
import { port } from './doctor/port.ts'

export type DoctorOptions = {
  readonly env: Config['env']
  readonly print: (line: string) => void
}

/**
 * Looks at what a server needs here, or, given a URL, at a server from outside. Changes nothing. Gives 1 where something is in the way.
 * @throws ServiceError `invalid-request` for a command line that cannot be followed
 */
export async function doctor(args: readonly string[], { env, print }: DoctorOptions): Promise<number> {
  let code = 0
  const [address = ''] = args
  const checks =
    address.startsWith('-') || args.length === 0 ? here(args, env) : from(address, args.slice(1), env)
  for (const check of checks) {
    for (const { mark, words } of await looked(check)) {
      if (mark === '✗') code = 1
      // Some words are a stranger's: at a terminal they could move the cursor.
      print(`${mark} ${words.replace(/\p{Cc}/gu, ' ')}\n`)
    }
  }
  return code
}

type Check = () => Promise<readonly Finding[]>

/** What stops one check does not stop the others. */
async function looked(check: Check): Promise<readonly Finding[]> {
  try {
    return await check()
  } catch (error) {
    return [wrong(isServiceError(error) ? error.message : `A check failed: ${reasonOf(error)}.`)]
  }
}

function here(args: readonly string[], env: Config['env']): Check[] {
  const probe = args.includes('--probe')
  let config: Config
  try {
    config = readConfig(
      args.filter((arg) => arg !== '--probe'),
      env,
      bundledAgents,
    )
  } catch (error) {
    // Nothing else can be looked at where it is not known which home, port and model are meant.
    return [node, () => Promise.reject(error)]
  }
  return [
    node,
    () => homeFolder(config),
    async () => (await agents(config)).findings,
    () => database(config),
    () => callers(config),
    () => guests(config),
    async () =>
      models(config, (await agents(config)).found.map(({ agent }) => agent).filter(drivesModel), probe),
    () => port(config),
    () => ownFindings(config),
  ]
}

function from(address: string, args: readonly string[], env: Config['env']): Check[] {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ServiceError('invalid-request', 'doctor takes an address like https://chat.example, or none.')
  }
  const token = tokenIn(args) ?? env['DRAGOMAN_TOKEN']
  return [() => line({ url, token: token === '' ? undefined : token })]
}

function tokenIn(args: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...args], options: { token: { type: 'string' } } }).values.token
  } catch {
    throw new ServiceError('invalid-request', 'doctor with an address takes --token TOKEN and nothing else.')
  }
}
