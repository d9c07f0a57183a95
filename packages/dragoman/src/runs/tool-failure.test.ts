import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { NoResultError } from 'kysely'
import { describe, expect, it } from 'vitest'

import { ToolError } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import { failedTool, isForeseen } from './tool-failure.ts'

const messageOf = (error: unknown): string => failedTool('dice', error).failure.message
const HIDDEN = 'dice failed inside the server.'

async function thrownBy(act: () => unknown): Promise<unknown> {
  try {
    await act()
  } catch (error) {
    return error
  }
  throw new Error('It did not throw.')
}

describe('a tool that throws', () => {
  it.each<[unknown, string]>([
    [new Error('the dice fell off the table'), 'the dice fell off the table'],
    [new ToolError('There is no such die.'), 'There is no such die.'],
    [new ServiceError('not-found', 'There is no posting 7.'), 'There is no posting 7.'],
    [new TypeError('sides must be a number'), 'sides must be a number'],
    ['a text', 'a text'],
    [{ code: 'E1', message: 'no money' }, 'no money'],
    [new AggregateError([new Error('no bus'), new Error('no train')]), 'no bus; no train'],
    [
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 192.0.2.1:5') }),
      'fetch failed: connect ECONNREFUSED 192.0.2.1:5',
    ],
    [new Error('No table', { cause: new Error('No table') }), 'No table'],
    [new ToolError('No.', { cause: new Error('of mine') }), 'No.'],
    [
      new Error('GET https://api.example/home/users/7 gave 404'),
      'GET https://api.example/home/users/7 gave 404',
    ],
    [new Error('No route /v1/things'), 'No route /v1/things'],
    [new Error('src/dice.ts is not there'), 'src/dice.ts is not there'],
    [new Error('line one\nline two'), 'line one line two'],
  ])('tells the model its message: %s', (error, message) => {
    expect(messageOf(error)).toBe(message)
  })

  it.each<[unknown]>([
    [new ToolError('the pit boss is asleep', { internal: true })],
    [new ToolError('', {})],
    [new Error('')],
    [undefined],
    [new AggregateError([Object.assign(new Error('no table x'), { code: 'SQLITE_ERROR' })], 'both')],
    [Object.create(null)],
    [new NoResultError({ kind: 'SelectQueryNode' } as never)],
    [Object.assign(new Error('duplicate key (email)=(a@b)'), { code: '23505', severity: 'ERROR' })],
    [new Error('outer', { cause: Object.assign(new Error('no table x'), { code: 'SQLITE_ERROR' }) })],
  ])('tells the model nothing of what is internal: %s', (error) => {
    expect(messageOf(error)).toBe(HIDDEN)
  })

  it('tells the model nothing of an error of the database', async () => {
    const db = new DatabaseSync(':memory:')
    const error = await thrownBy(() => db.exec('select secret_column from secret_table'))
    db.close()

    expect(messageOf(error)).toBe(HIDDEN)
  })

  it('tells the model no path of this machine', async () => {
    const missing = await thrownBy(() => readFile(join(homedir(), 'secret/of/mine')))
    const unloadable = await thrownBy(() => import(join(import.meta.dirname, 'not-there.ts')))

    expect(messageOf(missing)).toBe('ENOENT: no such file or directory')
    expect(messageOf(unloadable)).not.toContain(process.cwd())
    for (const path of [
      join(process.cwd(), 'src/x.ts:3:4'),
      join(homedir(), '.ssh/id'),
      '/etc/passwd',
      '/home/ada/notes.txt',
      'file:///usr/lib/x.js',
      String.raw`C:\Users\Ada\x.txt`,
    ])
      expect(messageOf(new Error(`Cannot read '${path}', sorry`))).toBe("Cannot read '[path]', sorry")
  })

  it('tells the model no key, and at most 1,000 characters', () => {
    expect(messageOf(new Error('401 for sk-live-0123456789'))).toBe('401 for [key]')
    expect(messageOf(new Error('x'.repeat(100_000)))).toHaveLength(1000)
  })

  it('is looked at in part, however many errors it gathers', () => {
    let looks = 0
    const link = (errors: readonly unknown[]) => ({
      get code() {
        looks += 1
        return 'none'
      },
      message: 'no bus',
      errors,
      cause: errors[0],
    })
    let error = link([])
    // Each gathers the same five times, or five others: 6 ** 20 ways lead through them.
    for (let depth = 0; depth < 20; depth += 1)
      error = link([error, link([]), error, link([]), link([error])])

    expect(messageOf(error)).toBe('no bus')
    expect(looks).toBeLessThan(100)
  })

  it('is hidden if an error of the database is behind it, also in a circle', () => {
    const first = new Error('first', {
      cause: new AggregateError([
        new Error('a'),
        Object.assign(new Error('no table x'), { code: 'SQLITE_ERROR' }),
      ]),
    })
    const circle = new Error('circle', { cause: first })
    first.cause = new AggregateError([circle, first.cause])

    expect(messageOf(circle)).toBe(HIDDEN)
  })

  it('is reported to the process unless it says why it failed', () => {
    expect(isForeseen(new ToolError('No.'))).toBe(true)
    expect(isForeseen(new ServiceError('not-found', 'No.'))).toBe(true)
    expect(isForeseen(new ToolError('No.', { internal: true }))).toBe(false)
    expect(isForeseen(new Error('No.'))).toBe(false)
  })
})
