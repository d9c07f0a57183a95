import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { documentOf } from '../../packages/dragoman/src/models/docx.fixture.ts'
import { openModelHost } from '../support/model-host.ts'
import { accessibilityFaults, consoleBrowser, openConsole, sendMessage } from './console.ts'

describe('files in the console', () => {
  const browser = consoleBrowser()
  const open = (url: string) =>
    openConsole({
      isOnDisk: true,
      env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'sk-test', OPENAI_MODEL: 'gpt-x' },
    })

  it('reach the model as texts with their names, whatever type the browser gives them', async () => {
    await using host = await openModelHost({ list: { data: [] } })
    await using server = await open(host.url)
    await using chat = await browser.open(server.url)
    const { page } = chat
    const texts = [
      ['types.ts', 'video/mp2t', 'const answer: number = 42'],
      ['table.csv', 'application/vnd.ms-excel', 'a,b\n1,2'],
      ['data.json', '', '{"key": "value"}'],
      ['notes.md', '', '# A note'],
      ['Makefile', '', 'all:\n\techo made'],
      ['logo.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"></svg>'],
    ] as const
    const files = texts.map(([name, mimeType, content]) => ({ name, mimeType, buffer: Buffer.from(content) }))
    const docx = documentOf('<w:p><w:r><w:t>The words of the letter</w:t></w:r></w:p>')
    await attach(page, ...files, { name: 'letter.docx', mimeType: '', buffer: docx })

    await sendMessage(page, 'Read them.')
    await page.getByText('Hello.').waitFor()

    const prompt = JSON.stringify(JSON.parse(host.bodies[0] ?? ''))
    for (const [name, , content] of texts)
      expect(prompt).toContain(JSON.stringify(`[File: ${name}]\n${content}`).slice(1, -1))
    expect(prompt).toContain('[File: letter.docx]\\nThe words of the letter')
    await page.getByRole('link', { name: 'Download letter.docx' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('are images of a size that models take, upright, and can be enlarged', async () => {
    await using host = await openModelHost({ list: { data: [] } })
    await using server = await open(host.url)
    await using chat = await browser.open(server.url)
    const { page } = chat
    await page.getByTestId('chat-input').waitFor()
    const photo = Buffer.from(await page.evaluate<string>(LARGE_PHOTO), 'base64')
    await attach(page, { name: 'IMG_1.jpeg', mimeType: 'image/jpeg', buffer: withOrientation(photo, 6) })

    await sendMessage(page, 'What is this?')
    await page.getByText('Hello.').waitFor()

    // Turned by a quarter: it is higher than wide.
    const size = await page.evaluate(IMAGE_SIZE)
    expect(size).toEqual([1000, 2000])
    expect(host.bodies[0]).toContain('data:image/jpeg;base64,')
    await page.getByRole('button', { name: 'Enlarge IMG_1.jpg' }).click()
    await page.getByRole('dialog', { name: 'IMG_1.jpg' }).getByRole('img').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('are said to be unreadable before they are sent, and a PDF can be opened', async () => {
    await using host = await openModelHost({ list: { data: [] } })
    await using server = await open(host.url)
    await using chat = await browser.open(server.url)
    const { page } = chat
    const zip = { name: 'all.zip', mimeType: 'application/zip', buffer: Buffer.from([80, 75, 3, 4, 0, 1]) }
    const pdf = { name: 'paper.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF') }
    await attach(page, zip, pdf)

    await page.getByText('Models cannot read all.zip. Only tools of the agent may.').waitFor()
    await attach(page, { name: 'none.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) })
    await page.getByText('none.txt is empty.').waitFor()
    expect(await page.locator('input[type=file]').getAttribute('accept')).toContain('.docx')
    await sendMessage(page, 'Read it.')
    await page.getByText('Hello.').waitFor()
    const popup = chat.context.waitForEvent('page')
    await page.getByRole('button', { name: 'Open paper.pdf' }).click()

    await popup
  })
})

type TestFile = { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }

async function attach(page: Page, ...files: TestFile[]): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(files)
  for (const { name, buffer } of files)
    if (buffer.length > 0)
      await page.getByRole('button', { name: `Remove ${name.replace('.jpeg', '.jpg')}` }).waitFor()
}

/** A photo of 4,000 × 2,000 pixels, in base64. */
const LARGE_PHOTO = `(() => {
  const canvas = document.createElement('canvas')
  canvas.width = 4000
  canvas.height = 2000
  const context = canvas.getContext('2d')
  context.fillStyle = 'teal'
  context.fillRect(0, 0, 2000, 2000)
  return canvas.toDataURL('image/jpeg', 0.9).split(',')[1]
})()`

const IMAGE_SIZE = `(async () => {
  const image = document.querySelector('.bubble .attached-image')
  await image.decode()
  return [image.naturalWidth, image.naturalHeight]
})()`

/** A photo with the mark of a camera that was turned. */
function withOrientation(photo: Buffer, orientation: number): Buffer {
  const tiff = Buffer.from([
    0x4d,
    0x4d,
    0,
    42,
    0,
    0,
    0,
    8,
    0,
    1,
    1,
    0x12,
    0,
    3,
    0,
    0,
    0,
    1,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
  ])
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2])
  return Buffer.concat([photo.subarray(0, 2), head, exif, photo.subarray(2)])
}
