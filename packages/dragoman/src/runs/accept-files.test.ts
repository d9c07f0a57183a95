import { expect, it } from 'vitest'

import { countTurns } from '../../../../test/support/count-turns.ts'
import { GUEST_PREFIX } from '../events/index.ts'
import { acceptFiles } from './accept-files.ts'
import type { RunFiles } from './ports.ts'

const MEGABYTES = 12
const files = {
  save: async (_owner: unknown, { mediaType, content }: { mediaType: string; content: Uint8Array }) => ({
    id: 'file_1',
    mediaType,
    bytes: content.byteLength,
  }),
} as unknown as RunFiles

const accept = (url: string, userId = 'ada') =>
  acceptFiles({ userId, message: { parts: [{ type: 'file', mediaType: 'text/plain', url }] } }, files)

it.each([
  ['percent signs', ',', '%41'.repeat((MEGABYTES * 1e6) / 3)],
  ['base64', ';base64,', 'QUFB'.repeat((MEGABYTES * 1e6) / 4)],
  ['base64 in lines', ';base64,', 'QU\nFB'.repeat((MEGABYTES * 1e6) / 5)],
])('lets the event loop turn while it reads a large file in %s', async (_of, encoding, content) => {
  const accepting = accept(`data:text/plain${encoding}${content}`)

  expect(await countTurns(accepting)).toBeGreaterThan(2)
  const { message } = await accepting
  expect(message.parts).toEqual([{ type: 'file', url: '/v1/files/file_1', mediaType: 'text/plain' }])
})

it('refuses a file whose content is broken', async () => {
  await expect(accept(`data:text/plain;base64,${'QUFB'.repeat(10_000)}?`)).rejects.toMatchObject({
    code: 'invalid-request',
    message: expect.stringContaining('parts.0.url: must be a data: URL'),
  })
})

it('does not read the files of a guest', async () => {
  const unreadable = new Proxy({}, { get: () => expect.unreachable() }) as unknown as string
  await expect(accept(unreadable, `${GUEST_PREFIX}1`)).rejects.toMatchObject({ code: 'forbidden' })
})
