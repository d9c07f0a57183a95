import { isServiceError } from '../errors.ts'
import type { Run, TerminalEvent } from '../events/index.ts'
import { nodeOf, type Store } from '../log/index.ts'
import { causeOf, type ProcessLog, type ServerEvent } from '../observability/index.ts'
import type { RunEnd, RunJournal } from '../runs/index.ts'
import { scrub, shortenQuotations } from '../scrub/index.ts'

type Ports = {
  readonly store: Pick<Store, 'claims'>
  readonly lines: Pick<ProcessLog, 'info' | 'alert' | 'namesOf' | 'node' | 'report'>
  /** The model that is to answer a run. Undefined if that cannot be told. */
  readonly nameModel: (run: Run) => string | undefined
  readonly onEvent: (event: ServerEvent) => void
}

/** Writes one line for each run that changes hands, or ends otherwise than with a whole answer. */
export function createRunJournal({ store, lines, nameModel, onEvent }: Ports): RunJournal {
  const findNodeBefore = async (runId: string, epoch: number): Promise<string | undefined> => {
    try {
      const before = (await store.claims(runId)).findLast((claim) => claim.epoch < epoch)
      return before && nodeOf(before.owner)
    } catch (error) {
      lines.report(error, runId)
      return undefined
    }
  }
  return {
    async resumed(run, { because, attempt, epoch, model = nameModel(run) }) {
      if (because === 'answer') return
      const names = lines.namesOf(run)
      const from = await findNodeBefore(run.id, epoch)
      const isAgain = from === lines.node
      if (!isAgain) onEvent({ type: 'take-over', because })
      const message = isAgain ? 'run tried again' : 'run taken over'
      lines.info({ ...names, model, from, because, ...(because === 'crash' && { attempt }) }, message)
    },
    handedOver(run, { model = nameModel(run) }) {
      onEvent({ type: 'hand-over' })
      lines.info({ ...lines.namesOf(run), model, because: 'shutdown' }, 'run handed over')
    },
    ended(run, end) {
      const { terminal, model = nameModel(run), by } = end
      if (terminal.type === 'run.finished' && by === undefined) return
      const { inputTokens, outputTokens } = terminal.usage
      const names = { ...lines.namesOf(run), model, by }
      const usage = { inputTokens, outputTokens, ms: Date.now() - run.createdAt }
      if (terminal.type === 'run.failed')
        lines.alert({ ...names, ...failureOf(terminal, end), ...usage }, 'run failed')
      else lines.info({ ...names, ...reasonOf(terminal), ...usage }, 'run stopped')
    },
  }
}

/** Our sentence, and what the provider says. */
const REASON = { maxCharacters: 1000 }

/** The error's own sentence: the entry has one that suits a guest, in the language of the conversation. */
function failureOf(
  { failure }: Extract<TerminalEvent, { type: 'run.failed' }>,
  { error }: RunEnd,
): Readonly<Record<string, unknown>> {
  const { code, message, providerStatus } = failure
  const reason = shortenQuotations(scrub(isServiceError(error) ? error.message : message, REASON))
  return {
    code,
    reason,
    ...causeOf(error, shortenQuotations),
    ...(providerStatus !== undefined && { providerStatus }),
  }
}

function reasonOf(terminal: TerminalEvent): { readonly reason?: string } {
  return terminal.type === 'run.finished' ? { reason: terminal.reason } : {}
}
