import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import mammoth from 'mammoth'
import { extractText, getDocumentProxy } from 'unpdf'

import { announce, check, say, short } from '../say.ts'
import type { Server } from '../server.ts'

/** The tailored resumes become files, in a folder that is kept. */
export async function writeFiles(server: Server, english: number, chinese: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-resumes-'))
  announce('Files to send', `GET /jobs/tailor/:jobId/pdf and …/docx. They stay in ${folder}`)
  await write(server, folder, `/jobs/tailor/${english}/pdf?template=modern&paper=letter`)
  await write(server, folder, `/jobs/tailor/${chinese}/pdf?template=classic`)
  await write(server, folder, `/jobs/tailor/${english}/docx`)
}

async function write({ url }: Server, folder: string, path: string): Promise<void> {
  const response = await fetch(`${url}${path}`)
  check(response.ok, `${path} should have given a file, not ${response.status}.`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  const name = nameIn(response.headers.get('content-disposition') ?? '')
  await writeFile(join(folder, name), bytes)
  const text = name.endsWith('.pdf') ? await textOfPdf(bytes) : await textOfDocx(bytes)
  const [first = ''] = text.trim().split('\n')
  const open = response.headers.get('x-open-marks')
  say(name)
  say(`   ${path}`)
  say(
    `   ${bytes.byteLength.toLocaleString('en-US')} bytes, claims still marked: ${open}, ` +
      `read again: “${short(first, 80)}”`,
  )
  check(first !== '', `The text of ${name} should be readable.`)
}

/** As RFC 8187 has it, since names may be Chinese. */
function nameIn(disposition: string): string {
  return decodeURIComponent(/filename\*=UTF-8''([^;]+)/iu.exec(disposition)?.[1] ?? '')
}

async function textOfPdf(bytes: Uint8Array): Promise<string> {
  const { text } = await extractText(await getDocumentProxy(bytes.slice()), { mergePages: false })
  return text.join('\n')
}

async function textOfDocx(bytes: Uint8Array): Promise<string> {
  return (await mammoth.extractRawText({ buffer: Buffer.from(bytes) })).value
}
