import { isDeepStrictEqual } from 'node:util'

import { type LogEntry, type RunEvent } from '../packages/dragoman/src/events/index.ts'
import type { MessageContent } from '../test/laws/message-content.ts'
import { logMistakes } from './log-check.ts'
import type { Reading, Visit } from './read-run.ts'
import { resumptionMistakes } from './resumption-check.ts'
import { entryOf, LOG_PROTOCOL, type Frame } from './wire-formats.ts'
import { BROKEN, wholeText, type Story } from './story.ts'

/** Checks of a single run. Each returns a sentence per violation. */

/** A given answer, and whether the server accepted it. */
export type GivenAnswer = {
  readonly callId: string
  readonly approved: boolean
  readonly counted: boolean | undefined
}

/** An ended run with everything that its readers saw. */
export type EndedRun = {
  readonly story: Story
  readonly runId: string
  readonly thread: string
  readonly entries: readonly LogEntry[]
  readonly readings: readonly Reading[]
  readonly answers: readonly GivenAnswer[]
  /** By protocol: the frames of the ended run and what a client reads from them. */
  readonly wholes: Readonly<
    Record<string, { readonly frames: readonly Frame[]; readonly content: MessageContent }>
  >
  /** Whether it was stopped, met by a later message, or live during a strike that may have ended its attempt. */
  readonly stopped: boolean
  readonly met: boolean
  readonly struck: boolean
  /** Whether there were enough of such strikes to give it up. */
  readonly mayBeGivenUp: boolean
}

export function findMistakes(run: EndedRun): string[] {
  return [
    ...logMistakes(run),
    ...seenMistakes(run),
    ...readingMistakes(run),
    ...contentMistakes(run),
    ...storyMistakes(run),
    ...resumptionMistakes(run),
    ...endMistakes(run),
    ...outcomeMistakes(run),
    ...answerMistakes(run),
  ]
}

/** Each entry that a reader of the log saw is in it, in order and once. */
function seenMistakes({ entries, readings }: Pick<EndedRun, 'entries' | 'readings'>): string[] {
  return readings
    .filter(({ protocol }) => protocol === LOG_PROTOCOL)
    .flatMap(({ visits }, reader) => {
      let last = 0
      return visits.flatMap(({ frames }) =>
        frames.flatMap((frame) => {
          const readEntry = entryOf(frame)
          const place = `reader ${reader + 1} of the log was shown entry ${readEntry.seq}`
          const mistakes = [
            ...(readEntry.seq === last + 1 ? [] : [`${place} after entry ${last}`]),
            ...(isDeepStrictEqual(entries[readEntry.seq - 1], readEntry)
              ? []
              : [`${place}, which is not in the log as it was shown`]),
          ]
          last = readEntry.seq
          return mistakes
        }),
      )
    })
}

/**
 * The frames of each reader, joined over its visits, equal those of the ended run. No body ends cleanly before that.
 * A run that was stopped in the queue shows the answer before it as far as that has come.
 */
function readingMistakes({
  entries,
  readings,
  wholes,
}: Pick<EndedRun, 'entries' | 'readings' | 'wholes'>): string[] {
  // Bodies of a waiting run end at each visit.
  const hasWaited = entries.some(({ event }) => event.type === 'run.waiting')
  const hasBegun = entries.some(({ event }) => event.type === 'step.started')
  return readings.flatMap((reading, index) => {
    const whole = wholes[reading.protocol]?.frames ?? []
    const mistake = visitMistake(reading, whole, { hasWaited, hasBegun })
    return mistake === undefined ? [] : [`reader ${index + 1}, of ${reading.protocol}, ${mistake}`]
  })
}

function visitMistake(
  { visits }: Reading,
  whole: readonly Frame[],
  { hasWaited, hasBegun }: Readonly<Record<'hasWaited' | 'hasBegun', boolean>>,
): string | undefined {
  const received: Frame[] = []
  const isRight = ({ text }: Frame, index: number): boolean =>
    text === whole[index]?.text || (!hasBegun && isHistory(text) && isHistory(whole[index]?.text))
  for (const [at, visit] of visits.entries()) {
    // Without a cursor, the run is sent from its start.
    if (visit.after === undefined && visit.end !== 'over') received.length = 0
    received.push(...visit.frames)
    const wrong = received.findIndex((frame, index) => !isRight(frame, index))
    if (wrong >= 0) {
      const [actual, expected] = [wordsOf(visit, received[wrong]), wordsOf(visit, whole[wrong])]
      return `was sent on visit ${at + 1} ${actual} where the ended run has ${expected}`
    }
    if (visit.end === 'closed' && received.length < whole.length && !hasWaited)
      return `was sent a clean end on visit ${at + 1}, after ${received.length} of ${whole.length} frames`
  }
  return received.length === whole.length
    ? undefined
    : `was sent ${received.length} of ${whole.length} frames`
}

function isHistory(text: string | undefined): boolean {
  return text?.includes('"type":"MESSAGES_SNAPSHOT"') ?? false
}

function wordsOf({ after }: Visit, frame: Frame | undefined): string {
  return `${frame ? JSON.stringify(frame.text.slice(0, 200)) : 'nothing'} (after ${after ?? 'nothing'})`
}

/** Clients of all protocols end with the same content. */
function contentMistakes({ wholes }: Pick<EndedRun, 'wholes'>): string[] {
  const [[first, reference] = ['', undefined], ...others] = Object.entries(wholes)
  return others.flatMap(([protocol, { content }]) =>
    (['text', 'reasoning', 'calls'] as const).flatMap((field) =>
      isDeepStrictEqual(content[field], reference?.content[field])
        ? []
        : [
            `${field} in ${protocol} is ${JSON.stringify(content[field])}, ` +
              `and in ${first} ${JSON.stringify(reference?.content[field])}`,
          ],
    ),
  )
}

/** The text is a prefix of the story. A finished run has all of it and called each tool once. */
function storyMistakes({ story, entries }: Pick<EndedRun, 'story' | 'entries'>): string[] {
  const events = entries.map(({ event }) => event)
  const text = events.map((event) => (event.type === 'text.delta' ? event.delta : '')).join('')
  const whole = wholeText(story)
  const places = events.flatMap((event) => (event.type === 'tool.called' ? [placeOf(event)] : []))
  const planned = story.steps.flatMap(({ calls }) => calls.map(({ place }) => place))
  const finished = events.at(-1)?.type === 'run.finished'
  const twice = places.filter((place, at) => places.indexOf(place) !== at)
  const missing = finished ? planned.filter((place) => !places.includes(place)) : []
  return [
    ...(whole.startsWith(text)
      ? []
      : [`the text leaves the story after "${sameBegin(whole, text).slice(-60)}"`]),
    ...(finished && text.length < whole.length
      ? [`it finished, and its text lacks "${whole.slice(text.length)}"`]
      : []),
    ...twice.map((place) => `${place} was called twice`),
    ...missing.map((place) => `it finished, and ${place} was never called`),
  ]
}

function sameBegin(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return a.slice(0, length)
}

export function placeOf({ input }: Extract<RunEvent, { type: 'tool.called' }>): string {
  return (input as { place?: string }).place ?? 'a place of no story'
}

/** The run ends as planned: cancelled if it was stopped, failed if its story breaks or a server was killed. */
function endMistakes(run: EndedRun): string[] {
  const { story, entries, mayBeGivenUp } = run
  const event = entries.at(-1)?.event
  if (event?.type === 'run.cancelled')
    return wasStopped(run) ? [] : ['it was cancelled, and nobody stopped it']
  if (event?.type !== 'run.failed') return []
  const { code, message } = event.failure
  if (code === 'interrupted') return mayBeGivenUp ? [] : ['it was given up, and too few servers were struck']
  if (message === BROKEN && story.steps.some(({ breaks }) => breaks)) return []
  return [`it failed: ${code}, ${message}`]
}

/** By a stop, or by a message that came while the run waited. */
function wasStopped({ stopped, met, entries }: EndedRun): boolean {
  return stopped || (met && entries.some(({ event }) => event.type === 'run.waiting'))
}

/** Failures without a strike or stop, and failures because of one. */
const PLANNED_FAILURES = new Map([
  ['fail', 'tool-failed'],
  ['ask', 'denied'],
])
const ABRUPT_FAILURES = new Set(['outcome-unknown', 'interrupted', 'aborted', 'unanswered'])

/** A tool fails because of its story or because the run was interrupted. */
function outcomeMistakes(run: EndedRun): string[] {
  const { entries, struck, story } = run
  const events = entries.map(({ event }) => event)
  const tools = new Map(events.flatMap((event) => ('tool' in event ? [[event.callId, event.tool]] : [])))
  const mayBeAbrupt = wasStopped(run) || struck || story.steps.some(({ breaks }) => breaks)
  return events.flatMap((event) => {
    if (event.type !== 'tool.failed') return []
    const { code, message } = event.failure
    const tool = tools.get(event.callId) ?? 'a tool that was never called'
    if (PLANNED_FAILURES.get(tool) === code || (ABRUPT_FAILURES.has(code) && mayBeAbrupt)) return []
    return [`${tool} (${event.callId}) failed: ${code}, ${message}`]
  })
}

/** An accepted answer is the one in the log. */
function answerMistakes({ entries, answers }: EndedRun): string[] {
  const logged = new Map(
    entries.flatMap(({ event }) => (event.type === 'tool.answered' ? [[event.callId, event.answer]] : [])),
  )
  return answers.flatMap(({ callId, approved, counted }) => {
    const answer = logged.get(callId)
    const isSo = answer?.kind === 'approval' && answer.approved === approved
    return counted && !isSo
      ? [`"${approved ? 'yes' : 'no'}" to ${callId} counted, and is not in the log`]
      : []
  })
}
