import { expect, it } from 'vitest'

import type { UserPart } from '../events/index.ts'
import { acceptFiles } from './accept-files.ts'
import { estimatePrompt } from './estimate-prompt.ts'
import type { RunFiles } from './ports.ts'

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const MB = 1024 * 1024

/** The tokens of a message with stored files of these types and sizes. */
async function estimate(...stored: readonly { readonly mediaType: string; readonly bytes: number }[]) {
  const files = {
    find: async (_user: string, id: string) => ({ id, ...stored[Number(id.split('_')[1])] }),
  } as unknown as RunFiles
  const parts: UserPart[] = stored.map(({ mediaType }, index) => ({
    type: 'file',
    mediaType,
    url: `/v1/files/file_${index}`,
  }))
  const { message, fileWords } = await acceptFiles({ userId: 'ada', message: { parts } }, files)
  const request = { message, fileWords, turns: [] } as unknown as Parameters<typeof estimatePrompt>[0]
  return estimatePrompt(request, { instructions: '' })
}

it('counts the words of files, up to what a model gets of all', async () => {
  const picture = await estimate({ mediaType: 'image/png', bytes: 9 * MB })
  expect(picture).toBeLessThan(2000)
  expect(await estimate({ mediaType: 'text/csv', bytes: 400_000 })).toBe(picture + 100_000)
  expect(await estimate({ mediaType: DOCX, bytes: 100_000 })).toBe(picture + 100_000)

  const many = await estimate(...Array.from({ length: 50 }, () => ({ mediaType: DOCX, bytes: MB })))
  expect(many).toBeLessThan(50 * 2000 + MB / 4)
  expect(many).toBeGreaterThan(MB / 4)
})
