import { describe, expect, it } from 'vitest'

import { setUp } from '../jobs.fixture.ts'
import { send } from './postings.fixture.ts'
import { repostKey } from './repost.ts'

const first = { title: 'Senior C++ Engineer', company: 'Acme Inc.', location: 'Berlin, Germany' }

describe('two postings', () => {
  it.each([
    [{}],
    [{ title: 'Senior C++ Engineer (m/f/d)' }],
    [{ title: 'senior  C++ engineer (Remote)' }],
    [{ company: 'ACME' }],
    [{ company: 'Acme, LLC' }],
    [{ location: 'Berlin' }],
    [{ location: 'Berlin; Remote (EU)' }],
  ])('are one opening where the other differs by %j', (other) => {
    expect(repostKey({ ...first, ...other })).toBe(repostKey(first))
  })

  it.each([
    [{ title: 'Senior C# Engineer' }],
    [{ title: 'Junior C++ Engineer' }],
    [{ company: 'Acme Robotics' }],
    [{ location: 'Munich' }],
    [{ location: null }],
  ])('are two openings where the other differs by %j', (other) => {
    expect(repostKey({ ...first, ...other })).not.toBe(repostKey(first))
  })

  it('are compared in Chinese too', () => {
    const one = { title: '后端开发工程师（急聘）', company: '北岭数据科技有限公司', location: '北京·海淀区' }
    const other = { title: '后端开发工程师', company: '北岭数据科技', location: '北京' }

    expect(repostKey(one)).toBe(repostKey(other))
    expect(repostKey({ ...one, title: '（急聘）' })).toBeNull()
  })
})

describe('a posting that was put up again', () => {
  it('names the earlier posting as long as it exists', async () => {
    const { app, call } = await setUp()
    await call('', { ...first, url: 'https://acme.example/1' })
    await call('', { ...first, url: 'https://board.example/9', title: 'Senior C++ Engineer (Remote)' })
    const third = await call('', { ...first, url: 'https://other.example/5' })
    await call('', { ...first, url: 'https://acme.example/1' }, 'eve')

    expect(third.body).toMatchObject({ created: true, job: { id: 3, repostOf: 1 } })
    expect((await call('')).body['jobs']).toMatchObject([
      { id: 3, repostOf: 1 },
      { id: 2, repostOf: 1 },
      { id: 1 },
    ])
    expect((await call('/1')).body['job']).not.toHaveProperty('repostOf')
    expect((await call('', undefined, 'eve')).body['jobs']).not.toHaveProperty('0.repostOf')

    await send(app, 'DELETE /1')
    expect((await call('/3')).body['job']).toMatchObject({ repostOf: 2 })
    await send(app, 'PATCH /2', { title: 'Gardener' })
    expect((await call('/3')).body['job']).not.toHaveProperty('repostOf')
  })
})
