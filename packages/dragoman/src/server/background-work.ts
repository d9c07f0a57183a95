import type { StorageMeter } from '../access/storage/index.ts'
import type { SharedWork } from '../cluster/index.ts'
import type { Config } from '../config/config.ts'
import { discardRuns, packLogs, pause, pruneLogs } from '../log/index.ts'
import type { FileStore } from '../files/index.ts'
import type { Models } from '../models/index.ts'
import type { ConfiguredModule } from '../modules/index.ts'
import type { ProcessLog } from '../observability/index.ts'
import { PROJECTION_PARTS, type ThreadServices } from '../threads/index.ts'
import type { ConversationErasure } from './conversation-erasure.ts'
import type { createAccess } from './create-access.ts'
import { sweepFiles } from './create-files.ts'
import { keepRunning } from './keep-running.ts'
import { watchFiles, type Stores } from './open-stores.ts'
import type { RefusalLog } from './refusal-log.ts'
import type { resolveAgents } from './resolve-agents.ts'
import { generateTitles } from './title-generator.ts'
import { createTrustedClock } from './trusted-clock.ts'

/** The node that leads stays it, also if it has nothing to do. */
const MAX_TIMER_MS = 2 ** 31 - 1

type BackgroundParts = {
  readonly stores: Stores
  readonly models: Models
  readonly log: ProcessLog
  readonly threadServices: ThreadServices
  readonly access: ReturnType<typeof createAccess>
  readonly modules: readonly ConfiguredModule[]
  readonly staff: ReturnType<typeof resolveAgents>
  readonly erasure: ConversationErasure
  readonly storageMeter: StorageMeter
  readonly files: FileStore
  readonly refusals: Pick<RefusalLog, 'keepUp'>
}

type BackgroundWork = (signal: AbortSignal, report: (error: unknown) => void) => Promise<void>

/** The background work of the server, until it closes. */
export function startBackgroundWork(
  config: Config,
  parts: BackgroundParts,
  signal: AbortSignal,
): Promise<void>[] {
  const { stores, models, log, threadServices, access, modules } = parts
  const { staff, erasure, storageMeter, files, refusals } = parts
  const { store, db, cluster, changes } = stores
  const { report } = log
  const reportAs = (where: string) => (error: unknown) => report(error, where)
  const { isTrusted } = createTrustedClock(db, log.warn)
  const { keepLogs, titles } = config
  const { keepUp, projectedTo } = threadServices.projector
  const pruneAgentData = (before: Date): Promise<void> => pruneModules(modules, before, reportAs)
  const prune: BackgroundWork = (leading, onError) =>
    pruneLogs({ store, keepLogs, projectedTo, pruneAgentData, isTrusted, report: onError }, leading)
  const keep = (name: string, work: (signal: AbortSignal) => Promise<void>): Promise<void> =>
    keepRunning(work, signal, reportAs(name))
  /** Work of one node at a time. It may be another node's turn after a failure. */
  const lead = (name: string, work: BackgroundWork): Promise<void> =>
    keep(name, (until) => cluster.lead(name, async (leading) => work(leading, reportAs(name)), until))
  return [
    keep('database', (until) => watchFiles({ check: stores.check }, until, reportAs('database'))),
    keep('tokens', (until) => access.watchTokens(until, reportAs('tokens'))),
    keep('refusals', refusals.keepUp),
    keep('storage', (until) => storageMeter.keepUp(until, reportAs('storage'))),
    lead('storage', storageMeter.correct),
    lead('files', (leading, onError) => sweepFiles(files, threadServices.deletion, leading, onError)),
    keep('projector', (until) => {
      const project: SharedWork = (mine, shared) => keepUp(shared, reportAs('projector'), mine)
      return cluster.share('projector', PROJECTION_PARTS, project, until)
    }),
    lead('words', async (leading) => {
      await threadServices.renewWords(leading)
      await pause(MAX_TIMER_MS, leading)
    }),
    lead('usage', access.quotas.keepUp),
    lead('guests', (leading, onError) => access.expireGuests(isTrusted, leading, onError)),
    lead('erasures', erasure.eraseQueued),
    keep('packing', (until) => packLogs({ store, report: reportAs('packing') }, until)),
    lead('detached', (leading, onError) => discardRuns({ store, report: onError }, leading)),
    ...(keepLogs > 0 ? [lead('retention', prune)] : []),
    lead('titles', (leading, onError) =>
      generateTitles(
        { titles, db, changes, models, staff, ...access, charge: access.quotas.charge },
        leading,
        onError,
      ),
    ),
    ...modules.flatMap(({ agent, background }) => (background ? lead(agent.id, background) : [])),
  ]
}

async function pruneModules(
  modules: readonly ConfiguredModule[],
  before: Date,
  reportAs: (where: string) => (error: unknown) => void,
): Promise<void> {
  for (const { agent, prune } of modules) {
    const pruneOwn = async (): Promise<void> => prune?.(before)
    await pruneOwn().catch(reportAs(agent.id))
  }
}
