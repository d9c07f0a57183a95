import type { Command } from 'commander'

import { configuredSecrets, readConfig, type Config } from 'dragoman/config'
import { isServiceError } from 'dragoman/errors'
import type { Server } from 'dragoman/server'
import { bundledAgents, openConfiguredServer } from '../main.ts'
import { createProcessLog } from 'dragoman/observability'
import { exitWith, newCommand } from './new-command.ts'
import { lifetime, type Lifetime } from './process-lifetime.ts'
import { addSettings, settingsArguments } from './settings-options.ts'

const DESCRIPTION =
  'Starts the server. Without a key of a model provider the demo model answers. Without tokens the user is "local", ' +
  'and only this machine may call.'

const READ_MORE = `
Each option has a variable, such as DRAGOMAN_ALLOW_ORIGIN, and a field in config.yaml of the home, which has further
sections. --no-require-token, --no-guests and --no-metrics override the file. Keys of model providers are variables,
such as OPENAI_API_KEY, or are set in the console. "dragoman config print" shows what is in effect.
`

export function serveCommand(): Command {
  return addSettings(newCommand('serve').description(DESCRIPTION))
    .addHelpText('after', READ_MORE)
    .action(async (_options: object, command: Command) => exitWith(await serve(settingsArguments(command))))
}

/**
 * Serves until a signal or an unforeseen error ends it. Gives the exit code. Standard output carries the ready line
 * alone.
 */
async function serve(args: readonly string[]): Promise<number> {
  let processLog = createProcessLog('info')
  let server: Server | undefined
  let life: Lifetime | undefined
  try {
    const config = readConfig(args, process.env, bundledAgents)
    processLog = createProcessLog(config.logLevel, configuredSecrets(config))
    life = lifetime(processLog)
    server = await openConfiguredServer(config)
    const url = await server.listen()
    process.stdout.write(`dragoman ready ${url}\n`)
    const end = await Promise.race([life.ended, server.stopped])
    if (isServiceError(end)) throw end
    if (end === 'signal') await drain(server, config, life)
    return end === 'signal' ? 0 : 1
  } catch (error) {
    // Those who collect the log's lines must find a refused start among them; at a terminal the sentence does.
    if (isServiceError(error) && !process.stderr.isTTY) processLog.refusal(error)
    throw error
  } finally {
    life?.close()
    await server?.close()
  }
}

/** Lets the answers that go on here end, within their time and until a second signal. */
async function drain({ drain: leave }: Server, { drainSeconds }: Config, { hurry }: Lifetime): Promise<void> {
  const over = new AbortController()
  const end = (): void => over.abort()
  const timer = setTimeout(end, drainSeconds * 1000)
  hurry.addEventListener('abort', end, { once: true })
  if (hurry.aborted) end()
  const departure = leave(over.signal)
  const turn = new Promise<'goes on'>((resolve) => setImmediate(resolve, 'goes on'))
  if (process.stderr.isTTY && (await Promise.race([departure, turn])) === 'goes on')
    process.stderr.write(`Answers that go on get up to ${drainSeconds} s. Press Ctrl-C again to end now.\n`)
  await departure
  clearTimeout(timer)
}
