import { WAITING_FOR_MODEL, type LogEntry, type RunEvent, type RunSummary } from 'dragoman/events'
import { nodeOf, type RunClaim } from 'dragoman/stores'
import { nodeName, shorten } from './names.ts'
import { failureSentence } from './failure-sentence.ts'
import { createCallTeller, isCall } from './tell-calls.ts'

type Sentence = { readonly at: number; readonly event: RunEvent['type']; readonly text: string }
/** In ms since 1970. */
export type EntryTimes = {
  readonly before: ReadonlyMap<number, number>
  readonly last: number | undefined
}
type Log = {
  readonly run: RunSummary
  readonly claims: readonly RunClaim[]
  readonly entries: readonly LogEntry[]
  readonly times: EntryTimes
}
type Event<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>

/** A run that begins so late has waited for a place. */
const QUEUED_MS = 1000

/** What the entries of a log say of the life of a run, without any content, and the claims that they belong to. */
export function tellEntries({ run, claims, entries, times }: Log): {
  readonly happenings: readonly Sentence[]
  readonly claims: ReadonlySet<RunClaim>
} {
  const usedClaims = new Set<RunClaim>()
  const calls = createCallTeller(run.userId)
  let steps = 0
  /** The claim under which an entry was written. */
  const claimAt = (at: number): RunClaim | undefined => {
    const claim = claims.findLast((each) => each.at <= at) ?? claims[0]
    if (claim) usedClaims.add(claim)
    return claim
  }
  const tell = ({ seq, at, event }: LogEntry): string | undefined => {
    switch (event.type) {
      case 'run.started':
        return tellStart(run, claims[0] && claimAt(claims[0].at))
      case 'step.started':
        steps += 1
        return `Step ${steps}: the model ${shorten(event.model)} began to answer.`
      case 'step.finished':
        return tellStepEnd(event, steps)
      case 'run.resumed':
        return tellResumption(event, claims, {
          claim: claimAt(at),
          silentMs: at - (times.before.get(seq) ?? at),
        })
      case 'data':
        return event.name === WAITING_FOR_MODEL ? tellRetry(event) : undefined
      default:
        return isCall(event) ? calls.tell(at, event) : tellLife(event, run)
    }
  }
  const happenings = entries.flatMap((entry) => {
    const text = tell(entry)
    return text === undefined ? [] : [{ at: entry.at, event: entry.event.type, text }]
  })
  return { happenings, claims: usedClaims }
}

function tellStart({ createdAt }: RunSummary, first: RunClaim | undefined): string {
  if (!first) return 'The run was asked for. No node has begun it.'
  const lateMs = first.at - createdAt
  const wait = lateMs > QUEUED_MS ? ` ${seconds(lateMs)} later, after what was ahead of it` : ''
  return `The run was asked for. ${nodeName(first)} began it${wait}.`
}

function tellStepEnd({ reason, usage }: Event<'step.finished'>, step: number): string {
  const { inputTokens, outputTokens, estimated } = usage
  const tokens = `${inputTokens} tokens read, ${outputTokens} written${estimated ? ', by estimate' : ''}`
  return `Step ${step} ended (${tokens}): ${STEP_ENDS[reason]}.`
}

const STEP_ENDS: Readonly<Record<Event<'step.finished'>['reason'], string>> = {
  stop: 'the answer is complete',
  length: "the model's limit of tokens was reached",
  'tool-calls': 'the model asked for tools',
  'content-filter': "the provider's filter cut it off",
  'step-limit': 'the limit of steps was reached',
  interrupted: 'it was cut off',
  other: 'the provider gave no reason',
}

function tellResumption(
  { because, attempt }: Event<'run.resumed'>,
  claims: readonly RunClaim[],
  { claim, silentMs }: { readonly claim: RunClaim | undefined; readonly silentMs: number },
): string {
  const node = nodeName(claim)
  if (because === 'answer') return `${node} went on, as the answer was there.`
  const before = claim && claims.findLast(({ epoch }) => epoch < claim.epoch)
  const silence = `${seconds(silentMs)} after the entry before`
  if (because === 'shutdown')
    return `${nodeName(before)} shut down and gave the run up. ${node} took it, ${silence}.`
  if (before && claim && nodeOf(before.owner) === nodeOf(claim.owner))
    return `${node} tried the run again, as its attempt had failed (crash ${attempt}), ${silence}.`
  const old = nodeName(before).replace(/^[NA]/, (letter) => letter.toLowerCase())
  return `${node} took the run over, as ${old} no longer lived (crash ${attempt}), ${silence}.`
}

/** The value is our own, but of the log. */
function tellRetry({ value }: Event<'data'>): string {
  const { code, retryAfter, attempt, attempts } = value as Readonly<Record<string, unknown>>
  return (
    `The model did not answer (${shorten(String(code))}). It is asked again in ${Number(retryAfter)} s, ` +
    `try ${Number(attempt)} of ${Number(attempts)}.`
  )
}

function tellLife(event: RunEvent, { userId }: RunSummary): string | undefined {
  switch (event.type) {
    case 'run.waiting':
      return `The run waits for ${event.calls.length === 1 ? 'an answer' : 'answers'}. No node drives it.`
    case 'user.joined':
      return 'Its user added a message.'
    case 'run.stop-requested':
      return tellStop(event, userId)
    case 'run.finished':
      return `The run finished: ${STEP_ENDS[event.reason]}.`
    case 'run.cancelled':
      return 'The run ended, as it was stopped.'
    case 'run.failed':
      return `The run failed (${shorten(event.failure.code)}): ${failureSentence(event.failure.code)}.`
    default:
      return undefined
  }
}

function tellStop({ by, because }: Event<'run.stop-requested'>, userId: string): string {
  if (because) return STOPS[because]
  return by === userId ? 'Its user stopped the run.' : 'The run was stopped, not by its user.'
}

const STOPS: Readonly<Record<NonNullable<Event<'run.stop-requested'>['because']>, string>> = {
  page: 'The run was stopped, as the page or program that asked went away.',
  message: 'The run was stopped, as a new message took its place.',
  deletion: 'The run was stopped, as its conversation was deleted.',
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
