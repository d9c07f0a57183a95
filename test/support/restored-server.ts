import { sql } from 'kysely'

import { copyDatabase, databasePath, openDatabase } from '../../packages/dragoman/src/database/index.ts'
import { createTempDir } from './create-temp-dir.ts'
import { cutLine, type CutLine } from './cut-line.ts'
import { gate } from './gate.ts'
import { says, scriptedModel, step } from './scripted-model.ts'
import { openServer, type ServerOptions, type TestServer } from './server.ts'

const LOST = ['Lost one. ', 'Lost two. ', 'Lost three.']
/** More entries than were lost: a cursor of the old log is within the new one. */
const NEW = Array.from({ length: 12 }, (_, index) => `New ${index}. `)

/** The last words of its run that are lost. */
export const LAST_LOST = 'Lost three.'
export const BACKED_UP_TEXT = 'Kept. '
export const NEW_TEXT = NEW.join('')

/** A server with one run, which is then restored to a point in the middle of that run, behind one line. */
export type RestoredServer = AsyncDisposable & {
  readonly line: CutLine
  /** Backs the server up when its run has said `BACKED_UP_TEXT`, and lets it go on up to `LAST_LOST`. */
  backUp(): Promise<void>
  /** Restores it, lets the run end with `NEW_TEXT` in place of what was lost, and cuts the line to what was before. */
  restore(): Promise<void>
}

export async function openRestoredServer(options: ServerOptions = {}): Promise<RestoredServer> {
  const [begun, lost] = [gate(), gate()]
  const first = scriptedModel([step(says(BACKED_UP_TEXT, begun, ...LOST, lost, 'Never.'))])
  const server = await openServer({ ...options, ...first, isOnDisk: true, needsSqlite: true })
  const line = await cutLine(server.url)
  let backup = ''
  let restored: TestServer | undefined
  return {
    line,
    async backUp() {
      await begun.reached
      backup = await copyHome(server)
      begun.open()
      await lost.reached
    },
    async restore() {
      const second = scriptedModel([step(says(...NEW))])
      restored = await openServer({ ...options, ...second, home: backup, needsSqlite: true })
      const { runs } = (await (await fetch(`${restored.url}/v1/runs`)).json()) as { runs: { id: string }[] }
      await (await fetch(`${restored.url}/v1/runs/${runs[0]?.id}/events`)).text()
      line.lead(restored.url)
      line.cut()
    },
    async [Symbol.asyncDispose]() {
      lost.open()
      await line[Symbol.asyncDispose]()
      await restored?.[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** A home with the database of a server as it is now. The processes that drove its runs are gone. */
async function copyHome({ home }: TestServer): Promise<string> {
  const copy = await createTempDir()
  await copyDatabase(databasePath(home), databasePath(copy))
  const database = openDatabase(databasePath(copy))
  await sql`DELETE FROM owners`.execute(database)
  await database.destroy()
  return copy
}
