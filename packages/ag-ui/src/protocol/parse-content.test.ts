import { describe, expect, it } from 'vitest'

import type { Json } from 'dragoman/events'
import { input, user } from './input.fixture.ts'
import { parse } from './parse.ts'

const PNG = 'iVBORw0KGgo='
const WEB = 'https://example.com/a'

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
    ['of chat completions', { type: 'image_url', image_url: { url: file.url } }, file],
    ['of responses', { type: 'input_image', image_url: file.url, detail: 'auto' }, file],
    [
      'of chat completions, another file',
      { type: 'file', file: { file_data: file.url, filename: 'a.png' } },
      { ...file, filename: 'a.png' },
    ],
    ['of responses, as a text', { type: 'input_text', text: 'Dear all' }, { type: 'text', text: 'Dear all' }],
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
      'without a type',
      { type: 'image', source: { type: 'data', value: PNG } },
      { type: 'file', url: `data:;base64,${PNG}`, mediaType: 'image/*' },
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
    [{ type: 'image', source: { type: 'url', value: 'ftp://example.com/a.png' } }, 'source.value'],
    [{ type: 'binary', mimeType: 'image/png', url: 'file:///etc/passwd' }, 'url'],
    [{ type: 'image', url: 'https://ann:secret@example.com/a.png' }, 'url'],
    [{ type: 'document', source: { type: 'file', value: 'file-1' } }, 'source.type'],
    [{ type: 'image', source: { type: 'data', value: 7 } }, 'source.value'],
    [{ type: 'image', source: { type: 'data', value: 'not.base64' } }, 'source.value'],
  ])('is refused if it has no data: %j', (part, field) => {
    expect(() => parse(input([user('Before', 'u0'), user([part])]))).toThrow(
      new RegExp(`^messages\\.1\\.content\\.0\\.${field}: `),
    )
  })

  it.each([
    [{ type: 'image', source: { type: 'url', value: `${WEB}.png` } }, `${WEB}.png`, 'image/png'],
    [{ type: 'audio', source: { type: 'url', value: WEB } }, WEB, 'audio/*'],
    [{ type: 'document', source: { type: 'url', value: WEB } }, WEB, 'application/octet-stream'],
    [{ type: 'binary', mimeType: 'image/gif', url: WEB }, WEB, 'image/gif'],
    [{ type: 'image', url: WEB }, WEB, 'image/*'],
    [{ type: 'document', source: { type: 'file', value: 'file_a' } }, 'file_a', 'application/octet-stream'],
    [{ type: 'binary', mimeType: 'image/png', id: 'file_a' }, 'file_a', 'image/png'],
  ])('may be an address: %j', (part, url, mediaType) => {
    expect(parse(input([user([part])]))).toMatchObject({
      message: { parts: [{ type: 'file', url, mediaType }] },
    })
  })

  it('is refused if it is only a name', () => {
    expect(() => parse(input([user([{ type: 'binary', mimeType: 'image/png', id: 'f' }])]))).toThrow(
      /^messages\.0\.content\.0: the file must come with the message/,
    )
  })
})
