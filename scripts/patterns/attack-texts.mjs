import { patternAutomaton } from './pattern-automaton.mjs'

const MAX_ATTACKS = 40
/** A search for a word that takes more steps finds none: the work for a pattern has a limit. */
const MAX_STEPS = 5000
const MAX_STEPS_IN_ALL = 400_000

/**
 * Texts that may make a backtracking matcher slow: a beginning, a part to repeat, and ends that refuse a match.
 * A pattern can take more than linear time only if it reads the same part in two ways: from one loop into another, or
 * back to where it was by two ways. What is before a match counts as a loop. See Weideman et al., "Analyzing Matching
 * Time Behavior of Backtracking Regular Expression Matchers by Using Ambiguity of NFA" (2016).
 */
export function attackTexts(source, flags) {
  const automaton = withLoops(patternAutomaton(source, flags))
  const { loops, next, part } = automaton
  const found = new Map()
  const budget = { steps: MAX_STEPS_IN_ALL }
  const add = (from, to, word) => {
    if (!word || found.size >= MAX_ATTACKS) return
    const text = (letters) => letters.map((letter) => automaton.letters[letter]).join('')
    const [start, repeated] = [text(pathOf(automaton, 0, from) ?? []), text(word)]
    found.set(`${start}\n${repeated}`, { start, repeated, ends: endsOf(automaton, to) })
  }
  for (const from of loops) {
    const twice = next[from].find((to, at) => part[to] === part[from] && next[from].indexOf(to) !== at)
    if (twice !== undefined)
      add(from, from, [...letterOf(automaton, twice), ...(pathOf(automaton, twice, from) ?? [])])
    for (const to of loops)
      if (from !== to && automaton.reach[from][to]) add(from, to, commonWord(automaton, from, to, budget))
  }
  return [...found.values()]
}

/** Adds which positions lead to which, those that lead back to themselves, and which of them form one loop. */
function withLoops({ letters, reads, next }) {
  const reach = next.map((_, position) => reachable(next, position))
  const loops = next.flatMap((_, position) => (reach[position][position] ? [position] : []))
  const part = next.map((_, one) => loops.find((other) => reach[one][other] && reach[other][one]))
  const masks = reads.map((own) => own.reduce((mask, letter) => mask | (1n << BigInt(letter)), 0n))
  return { letters, reads, masks, next, reach, loops, part }
}

function reachable(next, from) {
  const found = new Uint8Array(next.length)
  const open = [...next[from]]
  while (open.length > 0) {
    const each = open.pop()
    if (found[each]) continue
    found[each] = 1
    open.push(...next[each])
  }
  return found
}

/** The shortest word from one position to another; the empty one if they are the same. */
function pathOf(automaton, from, to) {
  const nextOf = (at) => automaton.next[at].map((each) => ({ at: each, letters: automaton.reads[each] }))
  return shortest(from, to, nextOf, { steps: MAX_STEPS_IN_ALL })
}

/** A word that leads from `from` to itself, from `from` to `to`, and from `to` to itself. */
function commonWord({ next, masks, reach, part }, from, to, budget) {
  const size = next.length
  const key = (one, between, other) => (one * size + between) * size + other
  const inLoop = (position, loop) => next[position].filter((each) => part[each] === part[loop])
  const nextOf = (at) => {
    const [one, between, other] = [Math.floor(at / size / size), Math.floor(at / size) % size, at % size]
    const pairs = inLoop(one, from).flatMap((a) =>
      inLoop(other, to).map((c) => ({ a, c, both: masks[a] & masks[c] })),
    )
    const ways = next[between].filter((each) => reach[each][to])
    return pairs.flatMap(({ a, c, both }) =>
      (both === 0n ? [] : ways)
        .filter((b) => (both & masks[b]) !== 0n)
        .map((b) => ({ at: key(a, b, c), letters: [lowest(both & masks[b])] })),
    )
  }
  return shortest(key(from, from, to), key(from, to, to), nextOf, budget)
}

function shortest(from, to, nextOf, budget) {
  if (from === to) return []
  const before = new Map([[from, undefined]])
  const open = [from]
  for (let index = 0; index < open.length; index++) {
    budget.steps -= 1
    if (index > MAX_STEPS || budget.steps < 0) return undefined
    for (const { at, letters } of nextOf(open[index])) {
      if (before.has(at)) continue
      before.set(at, { at: open[index], letter: letters[0] })
      if (at === to) return wordTo(before, to)
      open.push(at)
    }
  }
  return undefined
}

function wordTo(before, to) {
  const word = []
  for (let step = before.get(to); step; step = before.get(step.at)) word.unshift(step.letter)
  return word
}

function lowest(mask) {
  return (mask & -mask).toString(2).length - 1
}

function letterOf({ reads }, position) {
  return reads[position].slice(0, 1)
}

/** Nothing, a line's end, and characters that the loop does not read. */
function endsOf({ letters, reads, part }, loop) {
  const own = new Set(reads.flatMap((each, position) => (part[position] === part[loop] ? each : [])))
  const others = letters.filter((_, letter) => !own.has(letter))
  return [...new Set(['', '\n', '\u0000', ...others.slice(0, 2), ...others.slice(-1)])]
}
