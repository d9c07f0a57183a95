import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { createTempDir } from './support/create-temp-dir.ts'
import { ask } from './support/wire.ts'

const ROOT = join(import.meta.dirname, '..')

/** A page with two lines. */
const PDF = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R
  /Resources << /Font << /F 5 0 R >> >> >> endobj
4 0 obj << /Length 75 >> stream
BT /F 12 Tf 20 200 Td (Dear tenant,) Tj 0 -20 Td (the rent goes up.) Tj ET
endstream endobj
5 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj
trailer << /Root 1 0 R >>
`

/** The program of the guide, in a folder from which it finds our packages. */
async function writeProgram(): Promise<string> {
  const guide = await readFile(join(ROOT, 'docs/guide/documents.md'), 'utf8')
  const [, program = ''] = /^```ts\n([^]*?)^```$/m.exec(guide) ?? []
  await mkdir(join(ROOT, '.setup'), { recursive: true })
  const folder = await mkdtemp(join(ROOT, '.setup/documents-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'documents.ts'), program)
  return join(folder, 'documents.ts')
}

/** A folder with a document of each kind. */
async function writeDocuments(home: string): Promise<string> {
  const folder = join(home, 'documents')
  await mkdir(join(folder, 'flat'), { recursive: true })
  await writeFile(join(folder, 'flat/lease.md'), '# Lease\n\nThe rent is 900 a month.\n')
  await writeFile(join(folder, 'notes.txt'), 'Pay the Rent on the first.')
  await writeFile(join(folder, 'secret.env'), 'rent=1')
  await writeFile(join(folder, 'letter.pdf'), PDF)
  return folder
}

it('the agent of the guide quotes documents with file and line', async () => {
  const home = await createTempDir()
  const env = { PATH: process.env['PATH'], HOME: home, DOCUMENTS: await writeDocuments(home) }
  const args = [await writeProgram(), '--port', '0', '--home', join(home, 'home')]
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const url = await new Promise<string>((resolve, reject) => {
    child.once('error', reject).once('close', () => reject(new Error('It has ended.')))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const [found] = /http:\S+(?=\n)/.exec(text) ?? []
      if (found !== undefined) resolve(found)
    })
  })

  const body = { message: 'Search for rent', options: { stream: false } }
  const { text } = await ask(url, { method: 'POST', path: '/documents/chat', body })

  expect(text).toContain('flat/lease.md:3: The rent is 900 a month.')
  expect(text).toContain('notes.txt:1: Pay the Rent on the first.')
  expect(text).toContain('letter.pdf:2: the rent goes up.')
  expect(text).not.toContain('secret.env')
})
