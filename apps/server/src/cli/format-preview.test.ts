import { stripVTControlCharacters } from 'node:util'

import { expect, it } from 'vitest'

import { formatPreview } from './format-preview.ts'

it.each([
  [
    'a diff, with what is not seen as escapes',
    { title: 'a\u202e.txt', format: 'diff', text: '@@ -1,1 +1,1 @@\n-a\n+b\r\u001b[2J\n' },
    'a\\u202e.txt\n@@ -1,1 +1,1 @@\n-a\n+b\\u000d\\u001b[2J',
  ],
  [
    'a diff that goes on',
    { format: 'diff', text: '+a\n', isCut: true },
    '+a\nThe change is longer than what is shown here.',
  ],
  [
    'why there is none',
    { format: 'text', text: '', problem: 'a.png is a PNG image, not text.' },
    'What would change cannot be shown. a.png is a PNG image, not text.',
  ],
  ['that nothing changes', { title: 'a.txt', format: 'diff', text: '' }, 'a.txt\nNothing would change.'],
] as const)('a preview shows %s', (_what, preview, text) => {
  expect(stripVTControlCharacters(formatPreview(preview))).toBe(text)
})
