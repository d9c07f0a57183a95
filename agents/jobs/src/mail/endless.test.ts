import { describe, expect, it } from 'vitest'

import { endlessServer } from './imap.fixture.ts'
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
    const checked = mailboxes(ports).check({ account: server.account, password: 'testpass' }, signal)

    await expect(checked).rejects.toMatchObject({
      code: expect.stringMatching(/^(timed-out|too-large|unavailable)$/),
    })
  })

  it('counts against the limit of connections', async () => {
    await using server = await endlessServer('* 1 EXISTS\r\n')
    const control = new AbortController()
    const { check } = mailboxes({ outward: server.outward, now: () => new Date() })
    const all = Array.from({ length: 17 }, () =>
      check({ account: server.account, password: 'testpass' }, control.signal),
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
