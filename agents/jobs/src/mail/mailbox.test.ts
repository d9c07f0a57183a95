import { describe, expect, it } from 'vitest'

import type { Json } from 'dragoman/events'
import type { Batch } from '../sources/found-posting.ts'
import { imapServer, mailOf, stalledServer, type ImapServer } from './imap.fixture.ts'
import { mailboxes } from './mailbox.ts'

const { signal } = new AbortController()
const now = () => new Date()
const password = 'testpass'
const DAY_MS = 86_400_000

function mail(name: string, daysAgo = 1) {
  return { raw: mailOf(name), internaldate: new Date(Date.now() - daysAgo * DAY_MS) }
}

async function read({ outward, account }: Pick<ImapServer, 'outward' | 'account'>, state: Json = {}) {
  const batches: Batch[] = await Array.fromAsync(
    mailboxes({ outward, now }).read('ada', { account, password }, state, signal),
  )
  return {
    findings: batches.flatMap(({ findings }) => findings),
    state: batches.findLast((batch) => batch.state !== undefined)?.state ?? state,
  }
}

async function readFixture(name: string) {
  await using server = await imapServer([mail(name)])
  const { findings } = await read(server)
  return findings.map(({ posting, subject, sender }) => ({
    subject,
    sender,
    url: posting.url.href,
    title: posting.title,
    company: posting.company,
    location: posting.location,
    workplace: posting.workplace,
    pay: posting.salary?.text ?? null,
  }))
}

describe('an alert', () => {
  it('of LinkedIn names its postings, without pictures, buttons and footer', async () => {
    const from = {
      subject: '“software engineer”: Northwind Robotics - Senior Software Engineer and more',
      sender: '"LinkedIn Job Alerts" <jobalerts-noreply@linkedin.com>',
    }
    expect(await readFixture('linkedin')).toEqual([
      {
        ...from,
        url: 'https://www.linkedin.com/jobs/view/4101234567',
        title: 'Senior Software Engineer, Fleet',
        company: 'Northwind Robotics',
        location: 'San Francisco, CA (Remote)',
        workplace: 'remote',
        pay: '$185,000-$220,000 a year',
      },
      {
        ...from,
        url: 'https://www.linkedin.com/jobs/view/4107654321',
        title: 'Backend Engineer',
        company: 'Meridian Health',
        location: 'New York, NY (Hybrid)',
        workplace: 'hybrid',
        pay: null,
      },
    ])
  })

  it('of Indeed has its links resolved from trackers', async () => {
    expect(await readFixture('indeed')).toMatchObject([
      {
        url: 'https://de.indeed.com/viewjob?jk=0a1b2c3d4e5f6071',
        title: 'Platform Engineer (m/w/d)',
        company: 'Hexaware Labs',
        location: 'Berlin',
        pay: '70.000 € a year',
      },
      {
        url: 'https://de.indeed.com/viewjob?jk=ffff2c3d4e5f6071',
        title: 'Site Reliability Engineer',
        company: 'Lumenforge',
        location: 'Hamburg (Homeoffice)',
      },
    ])
  })

  it('in GBK and base64 is read', async () => {
    expect(await readFixture('boss-gbk')).toMatchObject([
      {
        subject: '今日职位推荐：高级前端工程师',
        sender: '"BOSS直聘" <noreply@service.bosszhipin.com>',
        title: '高级前端工程师',
        company: '云帆网络科技有限公司',
        location: '上海·浦东新区',
        pay: '20-35K·14薪',
      },
      {
        title: 'Java开发工程师（远程）',
        company: '海蓝集团',
        location: '杭州',
        workplace: 'remote',
        pay: '15-25K',
      },
    ])
  })

  it('in GB18030 and quoted-printable is read', async () => {
    expect(await readFixture('liepin-qp')).toMatchObject([
      { title: '数据平台架构师', company: '远景智能信息技术', location: '深圳-南山区', pay: '40-60k·15薪' },
      {
        url: 'https://www.lagou.com/wn/jobs/123456789.html',
        title: '算法工程师',
        company: '拉勾云计算有限公司',
        location: '成都',
      },
    ])
  })

  it('in plain text is read', async () => {
    expect(await readFixture('plain')).toMatchObject([
      { title: 'Product Engineer', company: 'Lantern', location: 'New York, NY' },
      {
        url: 'https://apply.workable.com/meridian/j/7A2B9C41D0/',
        title: 'Backend Developer',
        company: 'Meridian Health',
      },
    ])
  })
})

describe('a mailbox', () => {
  it('is read from the last position, and nothing in it is marked', async () => {
    await using server = await imapServer([mail('linkedin'), mail('private'), mail('indeed', 40)])

    const first = await read(server)
    const second = await read(server, first.state)
    server.arrive(mailOf('boss-gbk'))
    const third = await read(server, second.state)
    const fourth = await read(server, third.state)

    // The one of 40 days ago is older than is looked at; the private one is nobody's business.
    expect([first, second, third, fourth].map(({ findings }) => findings.length)).toEqual([2, 0, 2, 0])
    expect(server.inbox.messages.flatMap(({ flags = [] }) => flags)).toEqual([])
  })

  it('is read from its beginning after its validity changed', async () => {
    await using server = await imapServer([mail('linkedin')])
    const { state } = await read(server)
    server.inbox.uidvalidity = 8

    expect((await read(server, state)).findings).toHaveLength(2)
  })

  it('is read only for mails of the configured senders', async () => {
    await using server = await imapServer([mail('linkedin'), mail('private')])
    const account = { ...server.account, from: ['bob@friends.example'] }

    const { findings } = await read({ ...server, account })

    expect(findings.map(({ posting }) => posting.url.pathname)).toEqual(['/jobs/view/4109999999'])
  })

  it('counts its alerts', async () => {
    await using server = await imapServer([mail('linkedin'), mail('private'), mail('indeed')])

    expect(
      await mailboxes({ ...server, now }).check('ada', { account: server.account, password }, signal),
    ).toBe(2)
  })

  it('is read without mails that are too large', async () => {
    const large = `${mailOf('indeed')}${'x'.repeat(3_000_000)}`
    await using server = await imapServer([{ raw: large, internaldate: new Date() }, mail('linkedin')])

    expect((await read(server)).findings).toHaveLength(2)
  })

  it('refuses a wrong password without repeating it', async () => {
    await using server = await imapServer([])
    const refused = mailboxes({ ...server, now }).check(
      'ada',
      { account: server.account, password: 'hunter2' },
      signal,
    )

    await expect(refused).rejects.toMatchObject({
      code: 'invalid-request',
      message:
        '127.0.0.1 refuses this user name or password. Many providers want an app password in its place.',
    })
    expect(JSON.stringify(await refused.catch((error: unknown) => error))).not.toContain('hunter2')
  })

  it('reports a missing mailbox', async () => {
    await using server = await imapServer([])
    const account = { ...server.account, mailbox: 'Jobs/求职' }

    await expect(
      mailboxes({ ...server, now }).check('ada', { account, password }, signal),
    ).rejects.toMatchObject({
      code: 'not-found',
      message: '127.0.0.1 has no mailbox “Jobs/求职” for this user.',
    })
  })

  it.each(['', '* OK ready\r\n', '* OK ready\r\n* BYE\r\n'])(
    'gives up a server that says only %j',
    async (greeting) => {
      await using server = await stalledServer(greeting)
      const timeouts = { connectMs: 200, silentMs: 200 }

      await expect(
        mailboxes({ ...server, now, timeouts }).check('ada', { account: server.account, password }, signal),
      ).rejects.toMatchObject({ code: 'timed-out', message: '127.0.0.1 took too long to answer.' })
    },
  )

  it('closes its connection after an abort', async () => {
    await using server = await stalledServer('* OK ready\r\n')
    const control = new AbortController()
    const checked = mailboxes({ ...server, now }).check(
      'ada',
      { account: server.account, password },
      control.signal,
    )
    control.abort(new Error('left'))

    await expect(checked).rejects.toThrow('left')
  })

  it('reports a server that cannot be reached', async () => {
    const server = await stalledServer('')
    await server[Symbol.asyncDispose]()

    await expect(
      mailboxes({ ...server, now }).check('ada', { account: server.account, password }, signal),
    ).rejects.toMatchObject({ code: 'unavailable' })
  })
})
