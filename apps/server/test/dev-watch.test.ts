import { expect, it, onTestFinished } from 'vitest'

import { run } from '../../../test/support/process.ts'
import { createTempDir } from '../../../test/support/create-temp-dir.ts'

it('keeps worker threads and their processes out of the watched files under node --watch', async () => {
  const home = await createTempDir()
  // By it node --watch asks what it runs to name its files.
  const server = run(['--port', '0', '--home', home], { WATCH_REPORT_DEPENDENCIES: '1' })
  onTestFinished(() => void server.kill())

  // The log is on a thread of its own, and towns are looked up in a process.
  const answer = await fetch(`${await server.ready}/life/profile/birth`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ birthDate: '1990-05-15', gender: 'male', birthPlace: 'Lyon' }),
  })

  expect(await answer.json()).toMatchObject({ profile: { birth: { place: { zone: 'Europe/Paris' } } } })
  expect(await server.stop()).toMatchObject({ code: 0 })
})
