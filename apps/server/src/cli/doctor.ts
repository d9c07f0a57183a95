import type { Command } from 'commander'

import { lazy } from 'dragoman/async'
import { readConfig, type Config } from 'dragoman/config'
import { isServiceError, ServiceError } from 'dragoman/errors'
import { drivesModel } from 'dragoman/server'
import { bundledAgents } from '../main.ts'
import { checkAgents, loadAgents } from './doctor/check-agents.ts'
import { databaseSource } from '../open-storage.ts'
import { checkDatabase } from './doctor/check-database.ts'
import { checkSharedDatabase } from './doctor/check-shared-database.ts'
import { checkHome } from './doctor/check-home.ts'
import { checkModels } from './doctor/check-models.ts'
import { checkNode } from './doctor/check-node.ts'
import { checkPort } from './doctor/check-port.ts'
import { checkRemoteServer } from './doctor/check-remote-server.ts'
import { problem, reasonOf, type Finding } from './doctor/finding.ts'
import { exitWith, newCommand } from './new-command.ts'
import { printableLine } from './printable.ts'
import { addSettings, settingsArguments } from './settings-options.ts'

export type DoctorOptions = {
  readonly env: Config['env']
  readonly print: (line: string) => void
}

type Check = () => Promise<readonly Finding[]>

const DESCRIPTION =
  'Checks what a server needs on this machine, with the options and variables of the server. With a URL it checks a ' +
  'running server from outside, through its proxies. It changes nothing.'

const PROCESS: DoctorOptions = { env: process.env, print: (line) => void process.stdout.write(line) }

export function doctorCommand(options: DoctorOptions = PROCESS): Command {
  return addSettings(newCommand('doctor').description(DESCRIPTION))
    .argument('[URL]', 'address of a running server')
    .option('--probe', 'send the model of each agent a request')
    .option('--token <TOKEN>', 'token for the server of the URL (DRAGOMAN_TOKEN)')
    .action(async (address: string | undefined, _values: object, command: Command) =>
      exitWith(await doctor(address, command, options)),
    )
}

/**
 * The exit code is 1 if the server cannot work.
 * @throws ServiceError `invalid-request` for an invalid command line
 */
async function doctor(
  address: string | undefined,
  command: Command,
  { env, print }: DoctorOptions,
): Promise<number> {
  let code = 0
  const checks = address === undefined ? localChecks(command, env) : remoteChecks(address, command, env)
  for (const check of checks) {
    for (const { mark, text } of await findingsOf(check)) {
      if (mark === '✗') code = 1
      // The text of a remote server could contain control characters for the terminal.
      print(`${mark} ${printableLine(text)}\n`)
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

function localChecks(command: Command, env: Config['env']): Check[] {
  const { probe = false, token } = command.opts<{ readonly probe?: boolean; readonly token?: string }>()
  if (token !== undefined)
    throw new ServiceError(
      'invalid-request',
      '--token is for the server of a URL: dragoman doctor URL --token TOKEN.',
    )
  let config: Config
  try {
    config = readConfig(settingsArguments(command), env, bundledAgents)
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
  const source = databaseSource(config.env)
  return source === undefined ? checkDatabase(config) : checkSharedDatabase(source)
}

function remoteChecks(address: string, command: Command, env: Config['env']): Check[] {
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new ServiceError('invalid-request', 'doctor takes an address like https://chat.example, or none.')
  }
  const { token = env['DRAGOMAN_TOKEN'], probe } = command.opts<{ token?: string; probe?: boolean }>()
  if (probe !== undefined || settingsArguments(command).length > 0)
    throw new ServiceError('invalid-request', 'doctor with an address takes --token TOKEN and nothing else.')
  return [() => checkRemoteServer({ url, token: token === '' ? undefined : token })]
}
