import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { beforeEach, describe, expect, it } from 'vitest'

import { backup, restore } from '../support/run-command.ts'
import { client } from '../../../../test/support/http.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { createTempDir } from '../../../../test/support/create-temp-dir.ts'

let folder = ''
let home = ''
beforeEach(async () => {
  folder = await createTempDir()
  home = join(folder, 'home')
  await mkdir(home)
})

const serve = () => openServer({ models: scriptedModel().models, home, needsSqlite: true })

describe('dragoman backup', () => {
  it('replaces a file only with --force, and never the database', async () => {
    const server = await serve()
    const copy = join(folder, 'copy.db')
    await writeFile(copy, 'precious')

    await expect(backup([copy, '--home', home])).rejects.toMatchObject({
      code: 'conflict',
      message: `${copy} exists: name another file, or replace it with --force.`,
    })
    expect(await readFile(copy, 'utf8')).toBe('precious')
    for (const name of ['dragoman.db', 'dragoman.db-wal'])
      await expect(backup([join(home, name), '--home', home, '--force'])).rejects.toMatchObject({
        message: `${join(home, name)} is the database itself: name another file.`,
      })
    await chmod(copy, 0o644)
    await backup([copy, '--home', home, '--force'])
    await server[Symbol.asyncDispose]()
    expect((await stat(copy)).mode & 0o777).toBe(0o600)
    expect(integrity(copy)).toBe('ok')
  })

  it.each([
    ['no database', 'There is no database in'],
    ['no folder to write to', 'cannot be backed up to'],
    ['a damaged database', 'cannot be backed up to'],
  ])('rejects %s, and leaves no file', async (what, words) => {
    if (what !== 'no database') await (await serve())[Symbol.asyncDispose]()
    if (what === 'a damaged database') await damage(join(home, 'dragoman.db'))
    const copy = join(folder, what === 'no folder to write to' ? 'nowhere/copy.db' : 'copy.db')

    await expect(backup([copy, '--home', home])).rejects.toThrow(words)
    expect((await readdir(folder)).toSorted()).toEqual(['home'])
  })
})

describe('dragoman restore', () => {
  let copy = ''
  beforeEach(async () => {
    copy = join(folder, 'copy.db')
    const server = await serve()
    await backup([copy, '--home', home])
    await server[Symbol.asyncDispose]()
  })
  const file = () => join(home, 'dragoman.db')

  it('rejects a home with a running server or a database', async () => {
    const server = await serve()
    await client(server).json('POST', '/v1/threads', { name: 'later' })
    for (const flags of [[], ['--force']])
      await expect(restore([copy, '--home', home, ...flags])).rejects.toMatchObject({ code: 'conflict' })
    await expect(restore([copy, '--home', home, '--force'])).rejects.toThrow(`A server runs on ${home}`)
    await server[Symbol.asyncDispose]()

    await expect(restore([copy, '--home', home])).rejects.toThrow('There is a database in')
    await restore([copy, '--home', home, '--force'])

    const replacedFiles = (await readdir(home)).filter((name) => name.startsWith('dragoman.db.replaced-'))
    expect(replacedFiles).toHaveLength(1)
    const count = (path: string) => {
      using sqlite = new DatabaseSync(path)
      return sqlite.prepare("SELECT count(*) AS n FROM conversations WHERE client_id = 'later'").get()?.['n']
    }
    expect([count(join(home, replacedFiles[0] ?? '')), count(file())]).toEqual([1, 0])
  })

  it.each([
    ['is not there', (path: string) => rm(path), 'There is no backup'],
    ['is no database', (path: string) => writeFile(path, 'x'.repeat(9000)), 'file is not a database'],
    ['is damaged', damage, 'cannot be restored'],
    [
      'is another program’s',
      (path: string) => change(path, 'DROP TABLE run_states'),
      'no database of dragoman',
    ],
    [
      'is of a newer version',
      (path: string) => change(path, "INSERT INTO schema_migrations VALUES ('core-9-rockets', '2030')"),
      'a newer version of dragoman has changed its tables (core-9-rockets)',
    ],
  ])('changes nothing for a file that %s', async (_, spoil, words) => {
    await spoil(copy)
    const before = await readFile(file())

    await expect(restore([copy, '--home', home, '--force'])).rejects.toThrow(words)
    expect((await readdir(home)).toSorted()).toEqual(['dragoman.db', 'log-key'])
    expect(await readFile(file())).toEqual(before)
  })
})

function integrity(path: string): unknown {
  using sqlite = new DatabaseSync(path)
  return sqlite.prepare('PRAGMA integrity_check').get()?.['integrity_check']
}

async function change(path: string, statement: string): Promise<void> {
  using sqlite = new DatabaseSync(path)
  sqlite.exec(`PRAGMA foreign_keys = OFF; ${statement}`)
}

/** Writes over all pages but the first ones. */
async function damage(path: string): Promise<void> {
  const bytes = await readFile(path)
  await writeFile(path, bytes.fill(7, 3 * 4096))
}
