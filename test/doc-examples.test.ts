import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { ENTRIES, exportsOf, programOf } from './support/doc-examples.ts'
import { isFull } from './support/is-full.ts'

const ROOT = join(import.meta.dirname, '..')
const CONTEXT = 'test/support/example-context.ts'
const exportNames = Object.keys(ENTRIES).flatMap(exportsOf)
const exampled = exportNames.filter(({ example }) => example !== undefined)
const nameOf = ({ entry, name, isType }: (typeof exportNames)[number]): string =>
  `${entry} ${isType ? 'type ' : ''}${name}`.replaceAll(/\W+/g, '-')

let folder = ''
let closeAll = async (): Promise<void> => undefined
beforeAll(async () => {
  // Test files share a process: another file may have closed the context that it loaded.
  vi.resetModules()
  ;({ closeAll } = await import('./support/example-context.ts'))
  await mkdir(join(ROOT, '.setup'), { recursive: true })
  folder = await mkdtemp(join(ROOT, '.setup/examples-'))
  for (const each of exampled)
    await writeFile(
      join(folder, `${nameOf(each)}.ts`),
      programOf(each, { context: CONTEXT, known: exportNames }),
    )
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }),
  )
})
afterAll(async () => {
  await closeAll()
  await rm(folder, { recursive: true, force: true })
})

it('every export has an example', () => {
  expect(exportNames.length).toBeGreaterThan(100)
  expect(exportNames.filter(({ example }) => example === undefined).map(nameOf)).toEqual([])
})

it.runIf(isFull)('all examples compile', async () => {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const compiled = promisify(execFile)(process.execPath, [compiler, '-p', folder])

  const { stdout } = await compiled.catch((error: unknown) => error as { stdout: string })

  expect(stdout).toBe('')
})

it.runIf(isFull).each(exampled.map((each) => [nameOf(each)]))('%s runs', async (name) => {
  await import(join(folder, `${name}.ts`))
})
