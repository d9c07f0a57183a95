import { createSeededRandom, type SeededRandom } from './seeded-random.ts'
import type { ServerUnderTest } from './server-under-test.ts'
import type { Story, StoryCall, StoryStep, ToolName } from './story.ts'

/** All that a seed decides. What happens in which order is not among it: two processes and a network have a will of their own. */

/** One reader of a run: it joins after so many entries, is cut off after so many bytes, and again, and comes back after so many ms. */
export type ReaderPlan = {
  readonly dialect: string
  readonly joinsAfter: number
  readonly cuts: readonly { readonly bytes: number; readonly awayMs: number }[]
}

/** Yes or no, and in which dialect. */
export type AnswerPlan = { readonly approved: boolean; readonly dialect: string }

export type RunPlan = {
  readonly story: Story
  /** In which dialect it is asked for, and how often its caller is cut off. */
  readonly caller: ReaderPlan
  readonly readers: readonly ReaderPlan[]
  /** Whether it is asked for with a key, under which the same is the same run. */
  readonly keyed: boolean
  /** What its questions are answered with: several answers are given at once. */
  readonly answers: readonly AnswerPlan[]
  /** It is said while the run before it goes on, once so many entries of that were seen. */
  readonly meets?: { readonly policy: Policy; readonly after: number }
  /** The run is stopped once so many entries were seen. */
  readonly stopAfter?: number
}

/** What becomes of the run that goes on: it is waited for, or stopped. */
export type Policy = 'enqueue' | 'interrupt'

/** A conversation: one message after another. */
export type ChatPlan = { readonly thread: string; readonly agent: string; readonly runs: readonly RunPlan[] }

export function chatPlan(server: ServerUnderTest, seed: number, chat: number): ChatPlan {
  const chance = createSeededRandom(seed, `chat ${chat}`)
  return {
    thread: `chaos-${chat}`,
    agent: chance.pick(server.agents),
    runs: Array.from({ length: chance.between(1, 3) }, (_, at) => {
      const plan = runPlan(server, seed, `${chat}-${at}`)
      return at > 0 && chance.happens(30) ? meeting(plan, chance) : plan
    }),
  }
}

/** Whether it was taken cannot be asked for while another runs: so it has a key, and may be said again. */
function meeting(plan: RunPlan, chance: SeededRandom): RunPlan {
  const policy = chance.pick<Policy>(['enqueue', 'interrupt'])
  return { ...plan, keyed: true, meets: { policy, after: chance.between(1, 60) } }
}

function runPlan({ dialects }: ServerUnderTest, seed: number, name: string): RunPlan {
  const chance = createSeededRandom(seed, `run ${name}`)
  const names = Object.keys(dialects) as [string, ...string[]]
  const reader = (joinsAfter: number): ReaderPlan => ({
    dialect: chance.pick(names),
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
      .map((approved) => ({ approved, dialect: chance.pick(names) })),
    ...(chance.happens(12) && { stopAfter: chance.between(1, 80) }),
  }
}

const NOTHING_TO_TELL: StoryStep = { thought: 0, words: 1, calls: [] }

/** The last step of a story calls nothing: the model would have to speak again. */
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

/** Those that write are called the most: they are what must not happen twice. */
function call(chance: SeededRandom, place: string): StoryCall {
  const tool = chance.pick<ToolName>(['look', 'write', 'write', 'put', 'deaf', 'slow', 'fail', 'ask'])
  return { place, tool, before: chance.pick([0, 10, 50, 250]), after: chance.pick([0, 0, 20, 150]) }
}

/** What a kill waits for: so many entries that were seen since the server is up, or the first entry of a kind among them. */
export type Instant = { readonly entries: number } | { readonly event: string } | { readonly bootMs: number }

export type KillPlan = {
  readonly kind: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP'
  /** Which of the nodes, counted from 0. */
  readonly node: number
  readonly when: Instant
  /** A frozen process goes on after so many ms. */
  readonly frozenMs: number
}

/** Longer than a process counts as alive that has not said so, in ms: another one takes its runs. */
export const TAKEN_OVER_MS = 18_000

export function killPlan(seed: number, kill: number, nodes: number): KillPlan {
  const chance = createSeededRandom(seed, `kill ${kill}`)
  const kind = chance.pick([
    'SIGKILL',
    'SIGKILL',
    'SIGKILL',
    'SIGKILL',
    'SIGKILL',
    'SIGSTOP',
    'SIGTERM',
  ] as const)
  const takenOver = nodes > 1 && kind === 'SIGSTOP' && chance.happens(20)
  return {
    kind,
    node: chance.between(0, nodes - 1),
    when: instant(chance, kind),
    frozenMs: takenOver ? TAKEN_OVER_MS : chance.between(50, 700),
  }
}

/** Instants that matter, and any other. */
const EVENTS = [
  'run.started',
  'step.started',
  'tool.delta',
  'tool.called',
  'tool.executing',
  'tool.executing',
  'tool.returned',
  'step.finished',
  'run.resumed',
  'run.finished',
] as const

function instant(chance: SeededRandom, kind: KillPlan['kind']): Instant {
  // One that has not begun cannot be asked to end.
  if (kind === 'SIGKILL' && chance.happens(6)) return { bootMs: chance.between(50, 600) }
  if (chance.happens(40)) return { event: chance.pick(EVENTS) }
  return { entries: chance.pick([1, 5, 20, 50]) + chance.between(0, 20) }
}
