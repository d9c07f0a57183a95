import { describe, expect, it } from 'vitest'

import { createSafeFetch } from 'dragoman/safe-fetch'
import { isServiceError } from 'dragoman/errors'
import { endlessServer, imapServer } from './imap.fixture.ts'
import { mailboxes } from './mailbox.ts'

const { signal } = new AbortController()

describe('a mail server that never stops', () => {
  it.each([
    ['naming mails', '* SEARCH 1 2 3\r\n'.repeat(1000)],
    ['telling of one', '* 1 FETCH (UID 1 RFC822.SIZE 100)\r\n'.repeat(1000)],
    ['its line', 'x'.repeat(65_536)],
  ])('%s is given up', async (_, words) => {
    await using server = await endlessServer(words)
    const ports = { outward: server.outward, now: () => new Date(), answerTimeoutMs: 2000 }
    const checked = mailboxes(ports).check('ada', { account: server.account, password: 'testpass' }, signal)

    await expect(checked).rejects.toMatchObject({
      code: expect.stringMatching(/^(timed-out|too-large|unavailable)$/),
    })
  })

  it('holds two places of its user, and makes only this user wait', async () => {
    await using slow = await endlessServer('* 1 EXISTS\r\n')
    await using quick = await imapServer([])
    const control = new AbortController()
    const outward = createSafeFetch({
      privateHosts: [slow, quick].map(({ account }) => `127.0.0.1:${account.port}`),
      version: 'test',
    })
    const { check } = mailboxes({ outward, now: () => new Date() })
    const checkSlow = () =>
      check('eve', { account: slow.account, password: 'testpass' }, control.signal).catch(
        (error: unknown) => error,
      )
    const all = Array.from({ length: 24 }, checkSlow)

    await expect(Promise.any(all)).resolves.toMatchObject({ code: 'rate-limited' })
    expect(await check('ada', { account: quick.account, password: 'testpass' }, signal)).toBe(0)
    control.abort(new Error('left'))
    const outcomes = await Promise.all(all)

    expect(outcomes.filter((error) => isServiceError(error, 'rate-limited'))).toHaveLength(16)
  })

  it('makes a check wait for so long at most', async () => {
    await using server = await endlessServer('* 1 EXISTS\r\n')
    const control = new AbortController()
    const { check } = mailboxes({ outward: server.outward, now: () => new Date(), checkWaitMs: 500 })
    const all = Array.from({ length: 3 }, () =>
      check('eve', { account: server.account, password: 'testpass' }, control.signal),
    )

    await expect(
      Promise.any(all.map((each) => each.catch((error: unknown) => error))),
    ).resolves.toMatchObject({
      code: 'unavailable',
      message: 'Too many mailboxes are open already.',
    })
    control.abort(new Error('left'))
    const outcomes = await Promise.allSettled(all)

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toEqual([])
  })
})
