import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Hold, LoadAccount, LoadParty } from './load-account.ts'
import type { LoadKind } from './load-limits.ts'
import { createSmallLoad, MIB, refusalOf, usedOf } from './load.fixture.ts'

const takeMany = (account: LoadAccount, party: LoadParty, count: number): Hold[] =>
  Array.from({ length: count }, () => account.share(party).take('requests'))

describe('a share', () => {
  it('is refused with 429 when used up, and the server with 503 when full', () => {
    const account = createSmallLoad()
    takeMany(account, { userId: 'ada' }, 3)

    expect(() => takeMany(account, { userId: 'ada' }, 1)).toThrow(
      expect.objectContaining({
        code: 'rate-limited',
        retryAfter: 1,
        message: '3 of your requests are in progress already.',
      }),
    )
    takeMany(account, { userId: 'bob' }, 3)
    takeMany(account, { userId: 'eve' }, 2)
    expect(() => takeMany(account, { userId: 'eve' }, 1)).toThrow(
      expect.objectContaining({ code: 'overloaded', message: '8 requests are in progress already.' }),
    )
  })

  it('of the local user is everything that users have', () => {
    const account = createSmallLoad()
    takeMany(account, { userId: 'local' }, 8)

    expect(refusalOf(() => takeMany(account, { userId: 'local' }, 1))).toBe('overloaded')
  })

  it('of guests is that of their address, and all guests have half of the places', () => {
    const account = createSmallLoad()
    takeMany(account, { userId: 'guest_1a' }, 2)
    takeMany(account, { userId: 'guest_2a' }, 1)

    expect(refusalOf(() => takeMany(account, { userId: 'guest_3a' }, 1))).toBe('rate-limited')
    takeMany(account, { userId: 'guest_1b' }, 1)
    expect(refusalOf(() => takeMany(account, { userId: 'guest_1c' }, 1))).toBe('overloaded')
    takeMany(account, { userId: 'ada' }, 3)
    takeMany(account, { userId: 'bob' }, 3)
  })

  it('counts kinds with one budget together', () => {
    const share = createSmallLoad().share({ userId: 'ada' })
    share.take('readers', 3)
    share.take('sockets')
    expect(refusalOf(() => share.take('sockets'))).toBe('rate-limited')

    share.take('bytesRead', 40 * MIB)
    expect(refusalOf(() => share.take('bytesUnsent', 9 * MIB))).toBe('rate-limited')
    share.take('bytesUnsent', 8 * MIB)
    expect(refusalOf(() => share.requireRoom('bytesRead'))).toBe('rate-limited')
  })
})

describe('a hold', () => {
  it('keeps its amount if it may not grow, and counts once it is released', () => {
    const account = createSmallLoad()
    const hold = account.share({ userId: 'ada' }).take('bytesRead', 10 * MIB)
    expect(refusalOf(() => hold.resize(60 * MIB))).toBe('rate-limited')
    expect(usedOf(account, 'bytesRead')).toBe(10 * MIB)

    hold.record(60 * MIB)
    expect(refusalOf(() => account.share({ userId: 'ada' }).requireRoom('bytesUnsent'))).toBe('rate-limited')
    hold.release()
    hold.release()
    hold.record(5)
    expect(usedOf(account, 'bytesRead')).toBe(0)
  })

  it('moves from an address to a user', () => {
    const account = createSmallLoad()
    const hold = account.share({ address: '10.0.0.1' }).take('requests', 1, () => undefined)
    hold.move(account.share({ userId: 'ada' }))

    expect(usedOf(account, 'requests', 'addresses')).toBe(0)
    expect(usedOf(account, 'requests')).toBe(1)
    const other = account.share({ address: '10.0.0.1' }).take('requests')
    takeMany(account, { userId: 'ada' }, 2)
    expect(refusalOf(() => other.move(account.share({ userId: 'ada' })))).toBe('rate-limited')
    expect(usedOf(account, 'requests', 'addresses')).toBe(1)
  })

  it('ends with its token', () => {
    const account = createSmallLoad()
    const ended: string[] = []
    const take = (tokenId: string | undefined, name: string) =>
      account.share({ userId: 'ada', tokenId }).take('readers', 1, () => ended.push(name))
    take('t1', 'a')
    take('t1', 'b').release()
    take('t2', 'c')
    take(undefined, 'd')
    account
      .share({ address: 'x' })
      .take('sockets', 1, () => ended.push('e'))
      .move(account.share({ userId: 'ada', tokenId: 't1' }))

    expect(account.tokenIds().toSorted()).toEqual(['t1', 't2'])
    account.endToken('t1')
    expect(ended).toEqual(['a', 'e'])
    expect(account.tokenIds()).toEqual(['t2'])
    expect(usedOf(account, 'readers')).toBe(2)
  })
})

describe('callers without a user', () => {
  it('make room for newer ones: the oldest of the address that has most goes', () => {
    const account = createSmallLoad()
    const ended: string[] = []
    const come = (address: string, name: string) =>
      account.share({ address }).take('connections', 1, () => ended.push(name))
    come('a', 'a1')
    come('b', 'b1')
    come('a', 'a2')
    come('a', 'a3')
    come('b', 'b2')
    expect(ended).toEqual([])

    come('c', 'c1')
    expect(ended).toEqual(['a1'])
    come('a', 'a4')
    expect(ended).toEqual(['a1', 'a2'])
    come('a', 'a5')
    expect(ended).toEqual(['a1', 'a2', 'a3'])
    expect(account.totals().find(({ kind, pool }) => kind === 'connections' && pool === 'addresses')).toEqual(
      {
        kind: 'connections',
        pool: 'addresses',
        used: 5,
        limit: 5,
        refusals: 3,
      },
    )
  })

  it('end all that the connection holds which holds most, and not what came before it', () => {
    const account = createSmallLoad()
    const ended: string[] = []
    const share = account.share({ address: 'a' })
    const connect = (name: string) => {
      const end = (): void => void ended.push(name)
      return { take: (kind: LoadKind, amount = 1) => share.take(kind, amount, end) }
    }
    connect('one').take('waitingMessages')
    const many = connect('many')
    many.take('connections')
    for (let n = 0; n < 3; n++) many.take('waitingMessages')
    expect(ended).toEqual([])

    connect('another').take('waitingMessages')
    expect(ended).toEqual(['many'])
    expect(usedOf(account, 'connections', 'addresses')).toBe(0)
    expect(usedOf(account, 'waitingMessages', 'addresses')).toBe(2)
  })

  it('keep a connection whose request waits for the server, if others are silent', () => {
    const account = createSmallLoad()
    const ended: string[] = []
    const share = account.share({ address: 'a' })
    const connect = (name: string, isAsking: boolean): void => {
      const end = (): void => void ended.push(name)
      share.take('connections', 1, end)
      if (isAsking) share.take('waitingMessages', 1, end)
    }
    connect('asks', true)
    connect('silent', false)
    connect('asks too', true)
    for (const name of ['a', 'b', 'c']) connect(name, true)

    expect(ended).toEqual(['silent', 'asks', 'asks too'])
  })

  it('end no one to find out whether there is room', () => {
    const account = createSmallLoad()
    const ended: string[] = []
    const come = (address: string) => account.share({ address }).take('sockets', 1, () => ended.push(address))
    come('a')
    come('a')
    const room = (address: string) => refusalOf(() => account.share({ address }).requireRoom('sockets'))
    expect(room('a')).toBe('rate-limited')
    come('b')
    expect(room('b')).toBeUndefined()
    expect(ended).toEqual([])
    come('b')
    expect(ended).toEqual(['a'])
  })

  it('are refused if nothing may be ended', () => {
    const account = createSmallLoad()
    takeMany(account, { address: 'a' }, 2)
    expect(refusalOf(() => takeMany(account, { address: 'a' }, 1))).toBe('rate-limited')
    takeMany(account, { address: 'b' }, 1)
    expect(refusalOf(() => takeMany(account, { address: 'c' }, 1))).toBe('overloaded')
  })
})

describe('wait', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const { signal } = new AbortController()

  it('takes in the order of calls once there is room', async () => {
    const share = createSmallLoad().share({ userId: 'ada' })
    const [first, second] = [share.take('expensiveReads'), share.take('expensiveReads')]
    const order: number[] = []
    const waiting = [1, 2].map(async (n) => {
      await share.wait('expensiveReads', 1, signal)
      order.push(n)
    })
    first.release()
    await waiting[0]
    expect(order).toEqual([1])
    second.release()
    await waiting[1]
    expect(order).toEqual([1, 2])
  })

  it('fails after 30 s, or when its signal aborts, and then counts nothing', async () => {
    const account = createSmallLoad()
    const share = account.share({ userId: 'ada' })
    const holds = [share.take('expensiveReads'), share.take('expensiveReads')]
    const stop = new AbortController()
    const stopped = share.wait('expensiveReads', 1, stop.signal)
    const late = share.wait('expensiveReads', 1, signal)
    stop.abort(new Error('left'))
    await expect(stopped).rejects.toThrow('left')
    vi.advanceTimersByTime(30_000)
    await expect(late).rejects.toMatchObject({ code: 'rate-limited' })
    for (const hold of holds) hold.release()

    expect(usedOf(account, 'expensiveReads')).toBe(0)
    await expect(share.wait('expensiveReads', 1, stop.signal)).rejects.toThrow('left')
  })
})
