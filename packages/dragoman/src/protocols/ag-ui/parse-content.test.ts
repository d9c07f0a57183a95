import { describe, expect, it } from 'vitest'

import type { Json } from '../../events/index.ts'
import { input, user } from './input.fixture.ts'
import { parse } from './parse.ts'

const PNG = 'iVBORw0KGgo='

describe('a file in an AG-UI request', () => {
  const file = { type: 'file', url: `data:image/png;base64,${PNG}`, mediaType: 'image/png' }
  it.each([
    ['of 1.0', { type: 'image', source: { type: 'data', value: PNG, mimeType: 'image/png' } }, file],
    [
      'of 1.0 with a name',
      {
        type: 'document',
        source: { type: 'data', value: PNG, mimeType: 'image/png' },
        metadata: { filename: 'a.png' },
      },
      { ...file, filename: 'a.png' },
    ],
    [
      'of 1.0 by a data URL',
      { type: 'image', source: { type: 'url', value: file.url, mimeType: null } },
      file,
    ],
    [
      'of 0.x',
      { type: 'binary', mimeType: 'image/png', data: PNG, filename: 'a.png' },
      { ...file, filename: 'a.png' },
    ],
    ['of use-ai, an image', { type: 'image', url: file.url }, file],
    ['of use-ai', { type: 'file', url: file.url, mimeType: 'image/png' }, file],
    [
      'of use-ai, as its text',
      {
        type: 'transformed_file',
        text: 'Dear all',
        originalFile: { name: 'a.pdf', mimeType: 'application/pdf', size: 9 },
      },
      { type: 'text', text: '[Content of file "a.pdf" (application/pdf)]:\n\nDear all' },
    ],
    [
      'that says how it is encoded',
      { type: 'audio', source: { type: 'data', value: PNG, mimeType: 'audio/webm;codecs=opus' } },
      { type: 'file', url: `data:audio/webm;codecs=opus;base64,${PNG}`, mediaType: 'audio/webm' },
    ],
  ])('%s', (_of, part: Json, read) => {
    expect(parse(input([user([{ type: 'text', text: 'Look' }, part])]))).toMatchObject({
      message: { parts: [{ type: 'text', text: 'Look' }, read] },
    })
  })

  it.each([
    [{ type: 'image', source: { type: 'url', value: 'https://example.com/a.png' } }, 'source.value'],
    [{ type: 'binary', mimeType: 'image/png', url: 'http://169.254.169.254/' }, 'url'],
    [{ type: 'image', url: 'https://example.com/a.png' }, 'url'],
    [{ type: 'document', source: { type: 'file', value: 'file-1' } }, 'source.type'],
    [{ type: 'image', source: { type: 'data', value: 7 } }, 'source.value'],
    [{ type: 'image', source: { type: 'data', value: PNG } }, 'source.value'],
  ])('is refused if it has no data: %j', (part, field) => {
    expect(() => parse(input([user('Before', 'u0'), user([part])]))).toThrow(
      new RegExp(`^messages\\.1\\.content\\.0\\.${field}: `),
    )
  })

  it('is refused if it is only a name', () => {
    expect(() => parse(input([user([{ type: 'binary', mimeType: 'image/png', id: 'f' }])]))).toThrow(
      /^messages\.0\.content\.0: the file must come with the message/,
    )
  })
})
