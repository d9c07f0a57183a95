import { describe, expect, it } from 'vitest'

import { ServiceError } from '../errors.ts'
import { plainError } from './plain-error.ts'

const refuse = (): never => {
  throw new Error('a trap')
}
const trap = (target: object): object =>
  new Proxy(target, { get: refuse, getPrototypeOf: refuse, has: refuse, ownKeys: refuse })

describe('plainError', () => {
  it.each([
    ['an error', new TypeError('no')],
    ['an error with a code', Object.assign(new Error('no'), { code: 'EACCES', syscall: 'open' })],
    ['a refusal', new ServiceError('denied', 'no')],
    ['a text', 'no'],
    ['nothing', undefined],
    ['an object without a prototype', Object.create(null) as object],
  ])('gives %s as it is', (_what, thrown) => {
    expect(plainError(thrown)).toBe(thrown)
  })

  it.each<[string, unknown]>([
    ['a proxy', trap(new Error('x'))],
    ['a proxy that is revoked', revoke()],
    ['an heir of a proxy', Object.create(trap({}))],
    ['a getter that throws', Object.defineProperty(new Error('x'), 'message', { get: refuse })],
    ['a function', trap(refuse)],
  ])('gives a copy of %s that can be read', (_what, thrown) => {
    expect(plainError(thrown)).toMatchObject({ name: 'Error', message: 'An error that cannot be read.' })
  })

  it('does not change what a getter has said', () => {
    let reads = 0
    const error = plainError(
      Object.defineProperties(new Error('x'), {
        message: { get: () => `no ${(reads += 1)}` },
        code: { value: 'EACCES' },
      }),
    ) as Error

    expect([error.message, error.message]).toEqual(['no 1', 'no 1'])
    expect(error).toMatchObject({ code: 'EACCES' })
  })
})

function revoke(): object {
  const { proxy, revoke: end } = Proxy.revocable({}, {})
  end()
  return proxy
}
