import { parseArgs } from 'node:util'

import { lazy } from 'dragoman/async'
import { readConfig, type Config } from 'dragoman/config'
import { isServiceError, ServiceError } from 'dragoman/errors'
import { drivesModel } from 'dragoman/server'
import { bundledAgents } from '../main.ts'
import { checkAgents, loadAgents } from './doctor/check-agents.ts'
import { databaseUrl } from '../open-storage.ts'
import { checkDatabase } from './doctor/check-database.ts'
import { checkSharedDatabase } from './doctor/check-shared-database.ts'
import { checkHome } from './doctor/check-home.ts'
import { checkModels } from './doctor/check-models.ts'
import { checkNode } from './doctor/check-node.ts'
import { checkPort } from './doctor/check-port.ts'
import { checkRemoteServer } from './doctor/check-remote-server.ts'
import { problem, reasonOf, type Finding } from './doctor/finding.ts'

export type DoctorOptions = {
  readonly env: Config['env']
  readonly print: (line: string) => void
}

type Check = () => Promise<readonly Finding[]>

/**
 * Checks this machine or, given a URL, a server from outside. Changes nothing. The exit code is 1 if the server cannot
 * work.
 * @throws ServiceError `invalid-request` for an invalid command line
 */
export async function doctor(args: readonly string[], { env, print }: DoctorOptions): Promise<number> {
  let code = 0
  const [address = ''] = args
  const isLocal = address.startsWith('-') || args.length === 0
  const checks = isLocal ? localChecks(args, env) : remoteChecks(address, args.slice(1), env)
  for (const check of checks) {
    for (const { mark, text } of await findingsOf(check)) {
      if (mark === '✗') code = 1
      // The text of a remote server could contain control characters for the terminal.
      print(`${mark} ${text.replace(/\p{Cc}/gu, ' ')}\n`)
    }
  }
  return code
}

/** A check that fails does not stop the others. */
async function findingsOf(check: Check): Promise<readonly Finding[]> {
  try {
    return await check()
  } catch (error) {
    return [problem(isServiceError(error) ? error.message : `A check failed: ${reasonOf(error)}.`)]
  }
}

function localChecks(args: readonly string[], env: Config['env']): Check[] {
  const probe = args.includes('--probe')
  let config: Config
  try {
    config = readConfig(
      args.filter((arg) => arg !== '--probe'),
      env,
      bundledAgents,
    )
  } catch (error) {
    // The other checks need the configuration.
    return [checkNode, () => Promise.reject(error)]
  }
  const agents = lazy(() => loadAgents(config))
  return [
    checkNode,
    () => checkHome(config),
    async () => (await agents()).findings,
    () => checkStorage(config),
    async () => {
      const { modules } = await agents()
      return checkModels(config, modules.map(({ agent }) => agent).filter(drivesModel), probe)
    },
    () => checkPort(config),
    async () => checkAgents((await agents()).modules),
  ]
}

/** The database of `DATABASE_URL`, or the home's. */
async function checkStorage(config: Config): Promise<readonly Finding[]> {
  const url = databaseUrl(config.env)
  return url === undefined ? checkDatabase(config) : checkSharedDatabase(url)
}

function remoteChecks(address: string, args: readonly string[], env: Config['env']): Check[] {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ServiceError('invalid-request', 'doctor takes an address like https://chat.example, or none.')
  }
  const token = tokenIn(args) ?? env['DRAGOMAN_TOKEN']
  return [() => checkRemoteServer({ url, token: token === '' ? undefined : token })]
}

function tokenIn(args: readonly string[]): string | undefined {
  try {
    return parseArgs({ args: [...args], options: { token: { type: 'string' } } }).values.token
  } catch {
    throw new ServiceError('invalid-request', 'doctor with an address takes --token TOKEN and nothing else.')
  }
}
