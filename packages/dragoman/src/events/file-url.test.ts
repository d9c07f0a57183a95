import { expect, it } from 'vitest'

import { namedFileId } from './file-url.ts'

it.each([
  ['file_1', 'file_1'],
  ['/v1/files/file_1', 'file_1'],
  ['https://chat.example/x/v1/files/file_1?size=2', 'file_1'],
  ['https://chat.example/files/1', undefined],
  [`data:image/png;base64,${'A'.repeat(20_000_000)}`, undefined],
])('names the file of %.60s', (url, id) => {
  expect(namedFileId(url)).toBe(id)
})
