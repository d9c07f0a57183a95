import { describe, expect, it } from 'vitest'

import { killProcesses } from '../start-worker.ts'
import { documentOf } from './docx.fixture.ts'
import { createDocxReader, createExtractor } from './docx-reader.ts'
import { createFileWords } from './file-words.ts'

const MB = 1024 * 1024
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const REASON = 'It is not taken.'

const fileOf = (content: Uint8Array, filename: string, mediaType = DOCX) => ({
  type: 'file',
  mediaType,
  filename,
  data: { type: 'data', data: content },
})
const heavy = (mark: string) => documentOf(`<w:t>${mark}</w:t>${'<w:t>a'.repeat(Math.floor((7 * MB) / 6))}`)

/** The real process, with a count of the documents that it gets. */
function countingReader() {
  const extract = createExtractor()
  const counter = { extractions: 0, running: 0, most: 0 }
  const read = createDocxReader(async (content) => {
    counter.extractions += 1
    counter.running += 1
    counter.most = Math.max(counter.most, counter.running)
    try {
      return await extract(content)
    } finally {
      counter.running -= 1
    }
  })
  return { counter, read }
}

async function textsOf(files: readonly ReturnType<typeof fileOf>[], read = countingReader().read) {
  const words = createFileWords({ turn: 'one' }, read)
  const texts: string[] = []
  for (const file of files) texts.push((await words(file, REASON)).text)
  return texts
}

describe('the words of the files in one request', () => {
  it('have a limit over all files, and what has no room is named with it', async () => {
    const { counter, read } = countingReader()
    const files = Array.from({ length: 30 }, (_, index) => fileOf(heavy(`m${index}`), `f${index}.docx`))

    const texts = await textsOf(files, read)

    expect(texts.join('').length).toBeLessThan(MB + 30 * 400)
    expect(texts[0]).toContain('[File: f0.docx]\nm0aaa')
    expect(texts[29]).toContain('f29.docx')
    expect(texts[29]).toContain('at most 1048576 characters')
    expect(counter.extractions).toBe(1)
  })

  it.each(['text/plain', 'text/csv', 'application/json'])('have it for %s, too', async (mediaType) => {
    const files = Array.from({ length: 40 }, (_, index) =>
      fileOf(new Uint8Array(100_000).fill(65 + index), `f${index}`, mediaType),
    )

    const texts = await textsOf(files)

    expect(texts.join('').length).toBeLessThan(MB + 40 * 400)
    expect(texts[10]).toContain('[The rest of the file was left out')
    expect(texts[11]).toContain('have no room')
  })

  it('stand there once, however often a file is named', async () => {
    const { counter, read } = countingReader()
    const document = documentOf('<w:t>Hello</w:t>')
    const files = Array.from({ length: 40 }, (_, index) => fileOf(Buffer.from(document), `${index}.docx`))

    const texts = await textsOf(files, read)

    expect(texts.filter((text) => text.includes('Hello'))).toEqual(['[File: 0.docx]\nHello'])
    expect(texts[39]).toContain('[File: 39.docx')
    expect(texts[39]).toContain('The same file follows')
    expect(counter.extractions).toBe(1)
  })

  it('are remembered for later requests, and read once for all that ask at the same time', async () => {
    const { counter, read } = countingReader()
    const file = fileOf(documentOf('<w:t>Hello</w:t>'), 'a.docx')

    await Promise.all([textsOf([file], read), textsOf([file], read)])
    expect(await textsOf([file], read)).toEqual(['[File: a.docx]\nHello'])

    expect(counter.extractions).toBe(1)
  })

  it('are read of one document at a time, and of 20 at most', async () => {
    const { counter, read } = countingReader()
    const files = Array.from({ length: 25 }, (_, index) =>
      fileOf(documentOf(`<w:p w:id="${index}"/>`), `${index}`),
    )

    const texts = await Promise.all([textsOf(files, read), textsOf(files.slice(0, 5), read)])

    expect(texts[0][20]).toContain('at most 20 Word documents')
    expect(counter).toEqual({ extractions: 20, running: 0, most: 1 })
  })

  it('name a document that cannot be read', async () => {
    const bomb = documentOf('a'.repeat(9 * MB))

    expect(await textsOf([fileOf(bomb, 'bomb.docx'), fileOf(Buffer.from('PK'), 'cut.docx')])).toEqual([
      expect.stringContaining('[File: bomb.docx'),
      expect.stringContaining('cut.docx'),
    ])
  })

  it('name a document whose process ends, which is read by another process at the next request', async () => {
    const extract = createExtractor()
    let isKilled = false
    const read = createDocxReader(async (content) => {
      const kill = isKilled ? undefined : killProcesses
      isKilled = true
      const [answer] = await Promise.all([extract(content), kill?.()])
      return answer
    })
    const file = fileOf(documentOf('<w:t>Hello</w:t>'), 'a.docx')

    expect((await textsOf([file], read))[0]).toContain('It could not be read in time.')
    expect(await textsOf([file], read)).toEqual(['[File: a.docx]\nHello'])
  })

  it('are not read for a request that was stopped', async () => {
    const { counter, read } = countingReader()
    const words = createFileWords({ turn: 'one', signal: AbortSignal.abort(new Error('stopped')) }, read)

    await expect(words(fileOf(documentOf('a'), 'a.docx'), REASON)).rejects.toThrow('stopped')
    expect(counter.extractions).toBe(0)
  })
})
