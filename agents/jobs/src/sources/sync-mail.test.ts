import { describe, expect, it } from 'vitest'

import type { SafeFetch } from 'dragoman/safe-fetch'
import { fakeWeb } from '../../../../packages/dragoman/src/safe-fetch/fake-web.fixture.ts'
import { imapServer, mailOf } from '../mail/imap.fixture.ts'
import { createSources, stoppedClock } from './sources.fixture.ts'
import { job, workableOf } from './boards.fixture.ts'

const follower = { tell: () => undefined, signal: new AbortController().signal }

/** The web of one, and the mail server of the other. */
function both(web: SafeFetch, mail: SafeFetch): SafeFetch {
  return { ...web, addressOf: mail.addressOf }
}

async function synced(mails: readonly string[], web: SafeFetch) {
  const internaldate = new Date(Date.now() - 60_000)
  const server = await imapServer(mails.map((name) => ({ raw: mailOf(name), internaldate })))
  const parts = await createSources(both(web, server.outward), stoppedClock(new Date().toISOString()))
  const settings = { kind: 'mail', ...server.account, filter: {} } as const
  const add = (filter: object = {}) =>
    parts.sources.add('ada', {
      name: 'Mail',
      settings: { ...settings, filter },
      secret: 'testpass',
      schedule: null,
      enabled: true,
    })
  const sync = async () => parts.syncs.run('ada', await parts.sources.list('ada'), follower)
  return { ...parts, server, add, sync, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

describe('a mailbox as a source', () => {
  it('stores its postings with their origin, and reads no mail twice', async () => {
    await using world = await fakeWeb((_address, response) => void response.writeHead(404).end())
    await using mailbox = await synced(['linkedin', 'boss-gbk'], world.safeFetch)
    await mailbox.add()

    expect(await mailbox.sync()).toMatchObject({ type: 'complete', new: 4, total: 4 })
    expect(await mailbox.sync()).toMatchObject({ type: 'complete', new: 0, total: 0 })

    const { jobs } = await mailbox.postings.list('ada', { limit: 10, offset: 0 })
    expect(jobs.map(({ title, source }) => `${source}: ${title}`).toSorted()).toEqual([
      'email: Backend Engineer',
      'email: Java开发工程师（远程）',
      'email: Senior Software Engineer, Fleet',
      'email: 高级前端工程师',
    ])
    expect(
      await mailbox.db.selectFrom('job_sightings').select(['subject', 'sender']).distinct().execute(),
    ).toEqual(
      expect.arrayContaining([
        {
          subject: '今日职位推荐：高级前端工程师',
          sender: '"BOSS直聘" <noreply@service.bosszhipin.com>',
        },
      ]),
    )
  })

  it('completes a posting from its board', async () => {
    const meridian = { name: 'Meridian', jobs: [job('7A2B9C41D0', 'Backend Developer, Patients')] }
    await using world = await fakeWeb(workableOf({ meridian }))
    await using mailbox = await synced(['plain'], world.safeFetch)
    await mailbox.add()

    expect(await mailbox.sync()).toMatchObject({ new: 2 })

    const { jobs } = await mailbox.postings.list('ada', { limit: 10, offset: 0 })
    expect(jobs).toMatchObject([
      { title: 'Backend Developer, Patients', company: 'Meridian', source: 'email' },
      { title: 'Product Engineer', company: 'Lantern' },
    ])
    expect(await mailbox.postings.get('ada', jobs[0]?.id ?? 0)).toMatchObject({
      jdMarkdown: 'Backend Developer, Patients.',
    })
  })

  it('stores only postings that pass its filter', async () => {
    await using world = await fakeWeb((_address, response) => void response.writeHead(404).end())
    await using mailbox = await synced(['linkedin', 'boss-gbk'], world.safeFetch)
    await mailbox.add({ keywords: 'java, backend' })

    expect(await mailbox.sync()).toMatchObject({ new: 2, total: 4 })
  })

  it('reports a refused password without repeating it', async () => {
    await using world = await fakeWeb((_address, response) => void response.writeHead(404).end())
    await using mailbox = await synced([], world.safeFetch)
    const { id } = await mailbox.add()
    await mailbox.sources.change('ada', id, { secret: 'hunter2' })

    await expect(mailbox.sync()).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.not.stringContaining('hunter2'),
    })
    expect((await mailbox.sources.get('ada', id)).lastError).toMatch(/^127\.0\.0\.1 refuses this user name/)
  })
})
