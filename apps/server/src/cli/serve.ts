import { readConfig } from 'dragoman/config'
import { isServiceError } from 'dragoman/errors'
import type { Server } from 'dragoman/server'
import { bundledAgents, openConfiguredServer } from '../main.ts'
import { createProcessLog } from 'dragoman/observability'
import { lifetime } from './process-lifetime.ts'

/**
 * Serves until a signal or an unforeseen error ends it. Gives the exit code. Standard output carries the ready line
 * alone.
 */
export async function serve(args: readonly string[]): Promise<number> {
  let logLevel = 'info'
  let server: Server | undefined
  try {
    const config = readConfig(args, process.env, bundledAgents)
    logLevel = config.logLevel
    const life = lifetime((error) => createProcessLog(logLevel).crash(error))
    server = await openConfiguredServer(config)
    const url = await server.listen()
    process.stdout.write(`dragoman ready ${url}\n`)
    return (await life.ended) === 'signal' ? 0 : 1
  } catch (error) {
    // Those who collect the log's lines must find a refused start among them; at a terminal the sentence does.
    if (isServiceError(error) && !process.stderr.isTTY) createProcessLog(logLevel).refusal(error)
    throw error
  } finally {
    await server?.close()
  }
}
