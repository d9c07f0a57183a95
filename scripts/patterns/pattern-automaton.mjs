import { CharBase, JS } from 'refa'

/** A repetition of at least so many is followed as one without an end: it costs as much for each start. */
const MANY = 10
const MAX_COPIES = 24
const MAX_POSITIONS = 3000
/** Texts of these are easier to read than texts of control characters. */
const READABLE = Array.from('a0 A_-.,:"<(\t中')

/**
 * A pattern as an automaton that follows each of its characters: `letters` are the classes of characters that the
 * pattern tells apart, each with an example; a position reads some of them, and `next` names the positions after it,
 * one twice if two ways lead there. Position 0 reads what is before the match. What a pattern asserts is optional
 * here, so the automaton may find texts that the pattern never reads: they cost only a measurement.
 */
export function patternAutomaton(source, flags) {
  const parser = JS.Parser.fromLiteral({ source, flags: flags.replaceAll(/[dgy]/g, '') })
  const { expression, maxCharacter } = parser.parse({ backreferences: 'unknown', maxNodes: 1_000_000 })
  const everything = JS.createCharSet([{ kind: 'any' }], parser.flags)
  const positions = [{ set: everything, next: [0] }]
  const whole = compile(expression, positions)
  connect([0], whole.first, positions)
  return { ...lettersOf(positions, maxCharacter), next: positions.map(({ next }) => next) }
}

function lettersOf(positions, maxCharacter) {
  const base = new CharBase(positions.map(({ set }) => set))
  const letters = base.sets.map((set) => exampleOf(set, maxCharacter))
  return { letters, reads: positions.map(({ set }) => base.split(set)) }
}

function exampleOf(set) {
  const readable = READABLE.find((each) => set.has(each.codePointAt(0)))
  return readable ?? String.fromCodePoint(set.ranges[0].min)
}

/** The positions that a part of a pattern begins and ends with, and whether it may be empty. */
function compile(node, positions) {
  switch (node.type) {
    case 'CharacterClass':
      if (positions.length >= MAX_POSITIONS) throw new Error('is too large to be checked')
      positions.push({ set: node.characters, next: [] })
      return { first: [positions.length - 1], last: [positions.length - 1], isEmpty: false }
    case 'Concatenation':
      return sequence(node.elements, (each) => compile(each, positions), positions)
    case 'Quantifier':
      return compileQuantifier(node, positions)
    case 'Assertion':
      // Its time depends on what is before the text that is found here.
      if (node.kind === 'behind' && hasLoop(node)) throw new Error('looks back without a limit')
      return { ...compileChoice(node, positions), isEmpty: true }
    case 'Unknown':
      return { first: [], last: [], isEmpty: true }
    default:
      return compileChoice(node, positions)
  }
}

function compileChoice(node, positions) {
  const parts = node.alternatives.map((each) => compile(each, positions))
  return {
    first: parts.flatMap(({ first }) => first),
    last: parts.flatMap(({ last }) => last),
    isEmpty: parts.some(({ isEmpty }) => isEmpty),
  }
}

function compileQuantifier({ alternatives, min, max }, positions) {
  const part = () => compileChoice({ alternatives }, positions)
  const loop = () => {
    const repeated = part()
    connect(repeated.last, repeated.first, positions)
    return { ...repeated, isEmpty: true }
  }
  const needed = Math.min(min, MAX_COPIES)
  const isLoop = max >= MANY
  const optional = isLoop ? 1 : max - needed
  const copies = [
    ...Array(needed).fill(part),
    ...Array(Math.max(optional, 0)).fill(isLoop ? loop : () => ({ ...part(), isEmpty: true })),
  ]
  return sequence(copies, (make) => make(), positions)
}

function sequence(elements, make, positions) {
  let whole = { first: [], last: [], isEmpty: true }
  for (const element of elements) {
    const part = make(element)
    connect(whole.last, part.first, positions)
    whole = {
      first: whole.isEmpty ? [...whole.first, ...part.first] : whole.first,
      last: part.isEmpty ? [...whole.last, ...part.last] : part.last,
      isEmpty: whole.isEmpty && part.isEmpty,
    }
  }
  return whole
}

function hasLoop(node) {
  if (node.type === 'Quantifier' && node.max === Infinity) return true
  return (node.alternatives ?? node.elements ?? []).some(hasLoop)
}

function connect(from, to, positions) {
  for (const each of from) positions[each].next.push(...to)
}
