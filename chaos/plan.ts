import { createSeededRandom, type SeededRandom } from './seeded-random.ts'
import { AGENTS, type Story, type StoryCall, type StoryStep, type ToolName } from './story.ts'
import { wireFormats } from './wire-formats.ts'

/** Everything that a seed decides. The order of events also depends on processes and the network. */

/** A reader of a run: when it joins, after how many bytes it is cut, and how long it stays away. */
export type ReaderPlan = {
  readonly protocol: string
  readonly joinsAfter: number
  readonly cuts: readonly { readonly bytes: number; readonly awayMs: number }[]
}

/** An answer and its protocol. */
export type AnswerPlan = { readonly approved: boolean; readonly protocol: string }

export type RunPlan = {
  readonly story: Story
  /** The caller's protocol and its cuts. */
  readonly caller: ReaderPlan
  readonly readers: readonly ReaderPlan[]
  /** Whether the request has an idempotency key. */
  readonly keyed: boolean
  /** Answers to each question, given at once. */
  readonly answers: readonly AnswerPlan[]
  /** Sent while the previous run is live, once this many of its entries were seen. */
  readonly meets?: { readonly policy: Policy; readonly after: number }
  /** The run is stopped after this many entries. */
  readonly stopAfter?: number
}

/** Whether the live run is awaited or stopped. */
export type Policy = 'enqueue' | 'interrupt'

/** A conversation with its messages. */
export type ChatPlan = { readonly thread: string; readonly agent: string; readonly runs: readonly RunPlan[] }

export function chatPlan(seed: number, chat: number): ChatPlan {
  const chance = createSeededRandom(seed, `chat ${chat}`)
  return {
    thread: `chaos-${chat}`,
    agent: chance.pick(AGENTS),
    runs: Array.from({ length: chance.between(1, 3) }, (_, at) => {
      const plan = runPlan(seed, `${chat}-${at}`)
      return at > 0 && chance.happens(30) ? meeting(plan, chance) : plan
    }),
  }
}

/** While another run is live, it is unknown whether a message was accepted. So it has a key and may be sent again. */
function meeting(plan: RunPlan, chance: SeededRandom): RunPlan {
  const policy = chance.pick<Policy>(['enqueue', 'interrupt'])
  return { ...plan, keyed: true, meets: { policy, after: chance.between(1, 60) } }
}

function runPlan(seed: number, name: string): RunPlan {
  const chance = createSeededRandom(seed, `run ${name}`)
  const names = Object.keys(wireFormats) as [string, ...string[]]
  const reader = (joinsAfter: number): ReaderPlan => ({
    protocol: chance.pick(names),
    joinsAfter,
    cuts: Array.from({ length: chance.pick([0, 0, 1, 2, 4]) }, () => ({
      bytes: chance.between(1, 4000),
      awayMs: chance.between(0, 300),
    })),
  })
  return {
    story: story(chance, name),
    caller: reader(0),
    readers: Array.from({ length: chance.between(1, 3) }, () => reader(chance.between(0, 60))),
    keyed: chance.happens(50),
    answers: chance
      .pick([[true], [true], [false], [true, false]])
      .map((approved) => ({ approved, protocol: chance.pick(names) })),
    ...(chance.happens(12) && { stopAfter: chance.between(1, 80) }),
  }
}

const NOTHING_TO_TELL: StoryStep = { thought: 0, words: 1, calls: [] }

/** The last step has no calls: the model would have to continue. */
function story(chance: SeededRandom, name: string): Story {
  const steps = Array.from({ length: chance.pick([0, 1, 1, 2]) }, (_, at) =>
    callingStep(chance, `${name}/${at}`),
  )
  const last = { ...NOTHING_TO_TELL, thought: chance.pick([0, 0, 4]), words: chance.between(4, 30) }
  const breaks = chance.happens(4)
  return {
    name,
    pace: chance.pick([0, 1, 3, 6]),
    steps: [...steps, { ...last, ...(breaks && { breaks }) }],
  }
}

function callingStep(chance: SeededRandom, place: string): StoryStep {
  const calls = Array.from({ length: chance.pick([1, 1, 2, 3]) }, (_, at) => call(chance, `${place}/${at}`))
  return { thought: chance.pick([0, 3, 8]), words: chance.pick([0, 3, 12]), calls }
}

/** Writing tools are called most: they must not run twice. */
function call(chance: SeededRandom, place: string): StoryCall {
  const tool = chance.pick<ToolName>(['look', 'write', 'write', 'put', 'deaf', 'slow', 'fail', 'ask'])
  return { place, tool, before: chance.pick([0, 10, 50, 250]), after: chance.pick([0, 0, 20, 150]) }
}
