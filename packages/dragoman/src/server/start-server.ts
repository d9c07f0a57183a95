import { startBackgroundWork } from './background-work.ts'
import type { Config } from '../config/config.ts'
import { ServiceError, statusOf } from '../errors.ts'
import { requireAnswer } from './require-answer.ts'
import { watchTables } from './open-stores.ts'
import type { Runs } from '../runs/index.ts'
import { modelNames } from './resolve-agents.ts'
import type { ProcessLog } from '../observability/index.ts'
import { attachSockets, belowBasePath, listen, type HttpServer, type Listening } from './http/index.ts'
import { createApis, type ServerParts } from './create-apis.ts'
import type { InProcessRuns } from './in-process-runs.ts'

export type StartedServer = InProcessRuns & {
  readonly fetch: (request: Request) => Promise<Response>
  listen(options?: { readonly port?: number }): Promise<string>
  attach(server: HttpServer): void
  /** See `Server.drain`. */
  drain(limit: AbortSignal): Promise<void>
  /** Ends runs, readers and all background work. */
  close(): Promise<void>
  /** Resolves with the reason if the server has to stop by itself, and does so. */
  readonly stopped: Promise<ServiceError>
}

const NO_SOCKETS_MESSAGE =
  'attach: this server has no sockets. Add socketIo() of @dragoman/socket-io to plugins of createServer.'

/** Starts to serve requests and to do background work. If it throws, it has ended what it started. */
export async function startServer(config: Config, parts: ServerParts): Promise<StartedServer> {
  const { log, models, access, modules, activeRuns } = parts
  const closing = new AbortController()
  const cut = new AbortController()
  const backgroundWork: Promise<void>[] = []
  const attachments: ReturnType<typeof attachSockets>[] = []
  let listening: Listening | undefined
  const end = async (): Promise<void> => {
    closing.abort()
    const closed = listening?.close().catch((error: unknown) => log.report(error, 'closing'))
    const detached = Promise.all(attachments.map((each) => each.close()))
    await closeInOrder(
      [
        activeRuns.close,
        () => cut.abort(),
        () => closed,
        () => detached,
        () => Promise.all(backgroundWork),
        parts.close,
      ],
      log.report,
    )
  }
  const { close, stop, stopped, stopReason } = stopOnce(end, log.report)
  try {
    backgroundWork.push(...startBackgroundWork(config, parts, closing.signal))
    backgroundWork.push(watchTables(parts.stores, closing.signal, stop))
    const ready = createReadiness(parts, closing.signal)
    const { fetch, sockets, runs } = createApis(config, parts, { ready, cut: cut.signal })
    await activeRuns.recovered
    return {
      ...runs,
      fetch: belowBasePath(async (request) => refuseIf(stopReason()) ?? fetch(request), config.basePath),
      async listen({ port = config.port } = {}) {
        await access.requireCaller()
        listening = await listen(fetch, {
          host: config.host,
          port,
          limits: config.limits,
          basePath: config.basePath,
          load: access.load,
          proxies: access.callerRules.proxies,
          ...(sockets && { sockets }),
        })
        log.info({ url: listening.url, home: config.home, model: modelNames(modules, models) }, 'listening')
        return listening.url
      },
      attach(server) {
        if (!sockets) throw new ServiceError('invalid-request', NO_SOCKETS_MESSAGE)
        attachments.push(attachSockets(server, sockets, config.basePath))
      },
      drain: createDrain(activeRuns, log),
      close,
      stopped,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Rejects while the server should get no requests. */
function createReadiness(
  { stores, activeRuns, providerKeys }: ServerParts,
  closing: AbortSignal,
): () => Promise<void> {
  return async () => {
    if (closing.aborted || activeRuns.active.isLeaving)
      throw new ServiceError('unavailable', 'The server is shutting down.')
    await requireAnswer(stores.ready)
    await providerKeys?.refresh()
    providerKeys?.requireOpened()
  }
}

/** See `Server.drain`. */
function createDrain({ active, leave }: Runs, { info }: ProcessLog): StartedServer['drain'] {
  return async (limit) => {
    info({ runs: active.size }, 'draining: begins no new runs')
    await leave(limit)
  }
}

/** Ends a server once, when it is asked to or by itself. */
function stopOnce(end: () => Promise<void>, report: ProcessLog['report']) {
  const { promise: stopped, resolve } = Promise.withResolvers<ServiceError>()
  let ending: Promise<void> | undefined
  let reason: ServiceError | undefined
  const close = (): Promise<void> => (ending ??= end())
  return {
    close,
    stopped,
    stopReason: () => reason,
    stop(error: ServiceError): void {
      reason = error
      report(error, 'database')
      resolve(error)
      void close()
    },
  }
}

/** The response of a server that has stopped by itself, but is still mounted in another one. */
function refuseIf(reason: ServiceError | undefined): Response | undefined {
  return reason && Response.json({ error: reason.message, code: reason.code }, { status: statusOf(reason) })
}

/** Calls all in order, even if one throws. */
export async function closeInOrder(
  closers: readonly (() => unknown)[],
  report: ProcessLog['report'],
): Promise<void> {
  for (const end of closers) {
    try {
      await end()
    } catch (error) {
      report(error, 'closing')
    }
  }
}
