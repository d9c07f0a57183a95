import { expect, it } from 'vitest'

import { createProcessLog } from './process-log.ts'

it('hides nothing in any field of any line', () => {
  const lines: string[] = []
  const log = createProcessLog('debug', [], { write: (line) => void lines.push(line) })
  const odd = 'a\u001b[2J\u009b\u2028b\u202e\nc'
  const request = { path: odd, userId: undefined }

  log.info({ home: odd, model: { [odd]: odd, dice: [odd] }, count: 2 }, 'listening')
  log.alert({ reason: odd }, 'run failed')
  log.warn(odd)
  log.crash(new Error(odd, { cause: new Error(odd) }))
  log.request(request)

  expect(lines.join('')).not.toMatch(/[^\P{Cc}\n]|[\p{Zl}\p{Cf}]/u)
  const [first, ...rest] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  const escapes = String.raw`a\u001b[2J\u009b\u2028b\u202e` + '\nc'
  expect(first).toMatchObject({ home: escapes, model: { dice: [escapes] }, count: 2 })
  expect(rest).toMatchObject([
    { reason: escapes },
    { problem: escapes },
    { err: { message: escapes, cause: { message: escapes } } },
    { path: escapes },
  ])
})
