import { setTimeout as wait } from 'node:timers/promises'

import { Client } from 'pg'

import type { Comparison } from './comparison.ts'
import { openProductServer } from './product-server.ts'
import { ask, read } from './readers.ts'

const TURNS = 9
/** Then the work after the last answer is over. */
const QUIET_MS = 2000
/** Notices follow what they tell of. Nothing waits for them. */
const NOTICE = 'dragoman-notify'

type Statement = { readonly began: number; ended: number }

/**
 * The statements one after the other that a first token waits for, in a new conversation: the fewest of some, as a node
 * also does work of its own.
 */
export async function countStatements(url: string): Promise<Comparison> {
  process.env['BENCH_DATABASE'] = url
  const statements: Statement[] = []
  const unwrap = recordStatements(statements)
  const server = await openProductServer('spine')
  const counts: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    await wait(QUIET_MS)
    statements.length = 0
    const asking = ask(server.url)
    const began = performance.now()
    const { firstMs } = await read(asking)
    counts.push(inRow(statements.filter(({ ended }) => ended <= began + firstMs)))
  }
  await server.end()
  unwrap()
  return {
    what: 'statements in a row before the first token',
    unit: 'n',
    postgres: Math.min(...counts),
    target: { most: 6 },
  }
}

/** Notes each statement of this process. Gives the way to end that. */
function recordStatements(statements: Statement[]): () => void {
  const { prototype } = Client
  const query = prototype.query as (...args: unknown[]) => unknown
  const recording = function record(this: Client, ...args: unknown[]): unknown {
    const [config] = args
    const isNotice =
      typeof config === 'object' && config !== null && 'name' in config && config.name === NOTICE
    if (isNotice) return query.apply(this, args)
    const statement: Statement = { began: performance.now(), ended: Number.POSITIVE_INFINITY }
    statements.push(statement)
    const last = args.at(-1)
    const end = (): void => void (statement.ended = performance.now())
    if (typeof last === 'function') {
      const callback = (...results: unknown[]): void => {
        end()
        ;(last as (...all: unknown[]) => void)(...results)
      }
      return query.apply(this, [...args.slice(0, -1), callback])
    }
    const answer = query.apply(this, args)
    if (answer instanceof Promise) answer.then(end, end)
    return answer
  }
  Object.assign(prototype, { query: recording })
  return () => void Object.assign(prototype, { query })
}

/** The longest row of statements of which each began after the one before it had ended. */
function inRow(statements: readonly Statement[]): number {
  let [count, last] = [0, Number.NEGATIVE_INFINITY]
  for (const { began, ended } of statements.toSorted((a, b) => a.ended - b.ended)) {
    if (began < last) continue
    count += 1
    last = ended
  }
  return count
}
