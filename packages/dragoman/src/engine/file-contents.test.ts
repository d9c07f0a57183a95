import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import { ServiceError } from '../errors.ts'
import { withFileContents } from './file-contents.ts'
import { fileData } from './prompt-files.ts'

const png = Buffer.from('89504e470d0a1a0a', 'hex')
const WEB = 'https://example.com/a.png'
const MB = 1024 * 1024

const user = (...urls: string[]): LanguageModelV4Prompt => [
  {
    role: 'user',
    content: urls.map((url) => ({
      type: 'file',
      data: fileData(url),
      mediaType: 'image/jpeg',
      filename: 'a.jpg',
    })),
  },
]

/** The parts that a model gets, and the addresses that were read for it. */
async function read(
  urls: readonly string[],
  contents: Readonly<Record<string, Uint8Array>>,
  supportedUrls: Record<string, RegExp[]> = {},
) {
  const reads: string[] = []
  const host = {
    signal: new AbortController().signal,
    async readFile(url: string, maxBytes: number) {
      reads.push(url)
      const content = contents[url]
      if (!content) throw new ServiceError('unavailable', 'example.com answers 404.')
      if (content.byteLength > maxBytes) throw new ServiceError('too-large', 'It is left out.')
      return content
    },
  }
  const [message] = await withFileContents(user(...urls), supportedUrls, host)
  return { parts: message?.role === 'user' ? message.content : [], reads }
}

describe('the files of a prompt', () => {
  it('are named if they are empty, as providers refuse those', async () => {
    const { parts } = await read([WEB], { [WEB]: new Uint8Array() })

    expect(parts).toEqual([{ type: 'text', text: expect.stringContaining('It is empty.') }])
  })

  it('of the web go as addresses to models that take such', async () => {
    const { parts, reads } = await read([WEB], {}, { 'image/*': [/^https:/] })

    expect(parts).toMatchObject([{ data: { type: 'url', url: new URL(WEB) } }])
    expect(reads).toEqual([])
  })

  it('are read for other models, with the type of their content, each once', async () => {
    const { parts, reads } = await read([WEB, '/v1/files/file_1', WEB], {
      [WEB]: png,
      '/v1/files/file_1': png,
    })

    const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: png } }
    expect(parts).toMatchObject([file, file, file])
    expect(reads).toEqual([WEB, '/v1/files/file_1'])
  })

  it('have room together, however often one of them is named', async () => {
    const large = new Uint8Array(10 * MB)
    const { parts, reads } = await read(
      Array.from({ length: 6 }, () => WEB),
      { [WEB]: large },
    )

    expect(parts.map(({ type }) => type)).toEqual(['text', 'text', 'text', 'file', 'file', 'file'])
    expect(parts[0]).toMatchObject({ text: expect.stringContaining('The same file follows') })
    expect(reads).toEqual([WEB])
  })

  it('are named with the reason if they cannot be read', async () => {
    const { parts } = await read([WEB], {}, { 'application/pdf': [/^https:/] })

    expect(parts).toEqual([
      { type: 'text', text: `[File: a.jpg (image/jpeg). ${WEB}: example.com answers 404.]` },
    ])
  })

  it('have room for the newest', async () => {
    const old = '/v1/files/file_old'
    const { parts } = await read([old, WEB], { [old]: Buffer.alloc(20 * MB), [WEB]: Buffer.alloc(20 * MB) })

    expect(parts).toMatchObject([
      { type: 'text', text: expect.stringContaining('left out') },
      { type: 'file' },
    ])
  })
})
