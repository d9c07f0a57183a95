import { createHash } from 'node:crypto'

import { findMistakes, type GivenAnswer, type EndedRun } from './run-checks.ts'
import type { ProgressCounter } from './progress-counter.ts'
import type { RetryingNetwork } from './retrying-network.ts'
import type { ChatPlan, Policy, ReaderPlan, RunPlan } from './plan.ts'
import { readRun, wholeOf, type Reading } from './read-run.ts'
import type { RecoveryTimes } from './recovery-times.ts'
import { answerCall, findRun, sendMessage, stopRun, type Message } from './server-api.ts'
import { entryOf, LOG_PROTOCOL, wireFormatOf, wireFormats, type Frame } from './wire-formats.ts'
import { toMessage } from './story.ts'
import type { Toll } from './strike.ts'

/** A silent run counts as stuck after this time: longer than a frozen process keeps its runs. */
const STUCK_TIMEOUT_MS = 90_000

export type Stage = {
  readonly network: RetryingNetwork
  readonly recovery: RecoveryTimes
  readonly toll: Pick<Toll, 'strikes' | 'struckUntil'>
  /** After how many strikes a run may be given up. */
  readonly strikesToGiveUp: number
  readonly onEnded: (run: EndedRun, mistakes: readonly string[]) => void
}

/** A run's progress for others, and the policy of the message that meets it. */
export type PlayOptions = { readonly progress: ProgressCounter; readonly metBy: Policy | undefined }

/** Plays one run of a conversation, from its message to its checks. */
export async function playRun(
  stage: Stage,
  chat: ChatPlan,
  plan: RunPlan,
  options: PlayOptions,
): Promise<void> {
  const { recovery } = stage
  const { progress, metBy } = options
  const { toll } = stage
  const before = { strikes: toll.strikes, isStruck: performance.now() < toll.struckUntil }
  const { runId, first } = await startRun(stage.network, messageOf(chat, plan))
  recovery.begins(runId)
  const silence = watchdog(stage.network.signal)
  const network = { ...stage.network, signal: silence.signal }
  try {
    let stopped = metBy === 'interrupt'
    const read = async (reader: ReaderPlan, body?: Response): Promise<Reading> => {
      await progress.reached(reader.joinsAfter)
      return readRun(network, { plan: reader, runId, first: body })
    }
    const answers: Promise<GivenAnswer>[] = []
    const watch = async (): Promise<Reading> => {
      const onFrame = (frame: Frame): void => {
        const entry = entryOf(frame)
        silence.heard()
        recovery.sees(runId, entry)
        progress.add()
        if (entry.event.type === 'tool.asked')
          answers.push(...giveAnswers(network, plan, runId, entry.event.callId))
      }
      const reader = { protocol: LOG_PROTOCOL, joinsAfter: 0, cuts: [] }
      return readRun(network, { plan: reader, runId, onFrame }).finally(progress.end)
    }
    const stop = async (after: number): Promise<void> => {
      await progress.reached(after)
      if (progress.over()) return
      stopped = true
      await network.ask((at) => stopRun(at, runId))
    }
    const [readings] = await Promise.all([
      Promise.all([watch(), read(plan.caller, first), ...plan.readers.map((reader) => read(reader))]),
      ...(plan.stopAfter === undefined ? [] : [stop(plan.stopAfter)]),
    ])
    const ended = await readEndedRun(stage.network, {
      plan,
      runId,
      readings,
      answers: await Promise.all(answers),
      stopped,
      met: metBy !== undefined,
      thread: chat.thread,
      struck: before.isStruck || toll.strikes > before.strikes,
      mayBeGivenUp: toll.strikes - before.strikes + Number(before.isStruck) >= stage.strikesToGiveUp,
    })
    stage.onEnded(ended, findMistakes(ended))
  } finally {
    progress.end()
    silence.end()
  }
}

function giveAnswers(
  network: RetryingNetwork,
  plan: RunPlan,
  runId: string,
  callId: string,
): Promise<GivenAnswer>[] {
  return plan.answers.map(async (answer) => {
    const isCounted = await network.ask((at) => answerCall(at, runId, { ...answer, callId }))
    return { callId, approved: answer.approved, counted: isCounted }
  })
}

function messageOf({ thread, agent }: ChatPlan, { story, caller, keyed, meets }: RunPlan): Message {
  const { name } = story
  return {
    thread,
    agent,
    name,
    protocol: caller.protocol,
    words: toMessage(story),
    key: keyed ? name : undefined,
    policy: meets?.policy,
  }
}

/** Sends the message until its run is known. */
async function startRun(
  network: RetryingNetwork,
  message: Message,
): Promise<{ runId: string; first?: Response }> {
  for (;;) {
    const first = await network.once((at) => sendMessage(at, message))
    if (first) return { runId: first.headers.get('x-run-id') ?? '', first }
    if (message.key !== undefined || wireFormatOf(message.protocol).keyed) continue
    const runId = await network.ask((at) => findRun(at, message))
    if (runId !== undefined) return { runId }
  }
}

type PlayedRun = Pick<
  EndedRun,
  'readings' | 'answers' | 'stopped' | 'met' | 'struck' | 'mayBeGivenUp' | 'runId' | 'thread'
> & {
  readonly plan: RunPlan
}

/** Reads the ended run in each protocol. */
async function readEndedRun(network: RetryingNetwork, { plan, ...played }: PlayedRun): Promise<EndedRun> {
  const frames = new Map<string, readonly Frame[]>()
  for (const protocol of Object.keys(wireFormats)) {
    frames.set(protocol, await wholeOf(network, { runId: played.runId, protocol }))
  }
  const entries = (frames.get(LOG_PROTOCOL) ?? []).map(entryOf)
  const complete = new Set(
    entries.flatMap(({ event }) => (event.type === 'tool.called' ? [event.callId] : [])),
  )
  const wholes = Array.from(frames, async ([protocol, each]) => {
    const body = Buffer.from(each.map(({ text }) => text).join(''))
    return [protocol, { frames: each, content: await wireFormatOf(protocol).read(body, complete) }] as const
  })
  return { ...played, story: plan.story, entries, wholes: Object.fromEntries(await Promise.all(wholes)) }
}

/** A hash of the frames. */
export function fingerprint(frames: readonly Frame[]): string {
  return createHash('sha256')
    .update(frames.map(({ text }) => text).join(''))
    .digest('hex')
}

/** A signal that aborts after too much silence. */
function watchdog(outer: AbortSignal) {
  const control = new AbortController()
  const bark = (): void =>
    control.abort(new Error(`nothing more was said of it for ${STUCK_TIMEOUT_MS / 1000} s`))
  const timer = setTimeout(bark, STUCK_TIMEOUT_MS)
  return {
    signal: AbortSignal.any([outer, control.signal]),
    heard: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  }
}
