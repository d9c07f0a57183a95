import { all, create, type MathNode } from 'mathjs'

import { serveWorker } from 'dragoman/isolate'
import { ServiceError } from 'dragoman/errors'

/** The thread that calculates. An expression may be written to take forever. The thread takes a while to start. */

export type Sum = { readonly expression: string }
export type Result = { readonly result: string; readonly exact: boolean }

/** Digits of the calculation, digits that reveal a rounded result, and digits of a rounded result in the answer. */
const [PRECISION, ROUNDED, SHOWN] = [64, 60, 20]
const MAX_RESULT_LENGTH = 10_000

const math = create(all ?? {}, { number: 'BigNumber', precision: PRECISION, matrix: 'Array' })

/** The allowed functions: numbers in, numbers out. None makes a value larger than the expression itself. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  `abs ceil floor round fix sign sqrt cbrt nthRoot exp expm1 log log10 log2 log1p pow mod gcd lcm hypot
  factorial gamma combinations permutations isPrime sin cos tan asin acos atan atan2 sinh cosh tanh sec csc cot
  min max mean median mode sum prod std variance cumsum re im conj arg det inv transpose dot cross norm`.split(
    /\s+/,
  ),
)
/** Of what an expression may be made. Ranges, texts, objects and functions of its own are left out. */
const NODES: ReadonlySet<string> = new Set(
  `ArrayNode AssignmentNode BlockNode ConditionalNode ConstantNode FunctionNode OperatorNode ParenthesisNode
  RelationalNode SymbolNode`.split(/\s+/),
)
const RESULTS: ReadonlySet<string> = new Set([
  'number',
  'BigNumber',
  'Complex',
  'Fraction',
  'Unit',
  'boolean',
  'Array',
])

serveWorker<Sum, Result>(({ expression }) => {
  try {
    const node = math.parse(expression)
    node.traverse(check)
    return formatResult(node.evaluate(new Map()))
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw wrong(error instanceof Error ? error.message : 'it is none')
  }
})

function check(node: MathNode): void {
  const { type } = node
  const called = 'fn' in node && node.fn instanceof Object && 'name' in node.fn ? String(node.fn.name) : ''
  if (type === 'FunctionNode' && !FUNCTIONS.has(called))
    throw wrong(`there is no function ${called.slice(0, 50)} here`)
  const isText = type === 'ConstantNode' && 'value' in node && typeof node.value === 'string'
  if (isText || !NODES.has(type)) throw wrong('only numbers, units and functions of them are worked with')
}

function formatResult(value: unknown): Result {
  const [last] =
    math.typeOf(value) === 'ResultSet' ? (value as { entries: unknown[] }).entries.slice(-1) : [value]
  if (!RESULTS.has(math.typeOf(last))) throw wrong('it comes to no number')
  let exact = true
  const result = math.format(last, (part: unknown) => {
    const { text, isExact } = digits(part)
    exact &&= isExact
    return text
  })
  if (result.length > MAX_RESULT_LENGTH) throw wrong('its result is too long')
  return { result, exact }
}

/** Formats a number with all its digits. A rounded number has fewer digits and is not exact. */
function digits(part: unknown): { text: string; isExact: boolean } {
  if (typeof part === 'boolean') return { text: String(part), isExact: true }
  if (!math.isBigNumber(part)) {
    const number = Number(part)
    const short = Number(number.toPrecision(15))
    return { text: String(short), isExact: short === number && Number.isSafeInteger(number) }
  }
  const isExact = !part.isFinite() || part.precision() < ROUNDED
  const value = isExact ? part : part.toSignificantDigits(SHOWN)
  const isLong = Math.abs(value.e) > PRECISION
  return { text: isLong ? value.toString() : value.toFixed(), isExact }
}

function wrong(why: string): ServiceError {
  return new ServiceError('invalid-input', `The expression cannot be worked out: ${why.replace(/\.$/, '')}.`)
}
