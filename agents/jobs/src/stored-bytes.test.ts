import { expect, it } from 'vitest'

import { emptyDatabase, setUp } from './jobs.fixture.ts'
import { ROW_BYTES, storedBytes } from './stored-bytes.ts'

it('has all texts of a posting and of what belongs to it', async () => {
  const db = await emptyDatabase()
  const { app, call } = await setUp({}, db)
  const before = await storedBytes(db, 'ada')
  const url = 'https://acme.example/1'
  await call('', { title: 'Engineer', company: 'Acme', url, description: 'x'.repeat(1000) })
  const posting = ROW_BYTES + 2000 + 'EngineerAcme'.length + url.length + 2 * '[]'.length + '[]'.length
  expect(await storedBytes(db, 'ada')).toBe(before + posting + ROW_BYTES)

  const body = JSON.stringify({ notes: '字'.repeat(100), status: 'applied' })
  await app.request('/jobs/1', { method: 'PATCH', body })
  await call('/1/touches', { kind: 'note', note: 'x'.repeat(70) })
  expect(await storedBytes(db, 'ada')).toBe(before + posting + 300 + 70 + 3 * ROW_BYTES)
  expect(await storedBytes(db, 'bob')).toBe(0)
})
