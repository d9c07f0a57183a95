import { coalesce } from '../async/index.ts'
import { lockTurn, type Database, type Migration } from '../database/index.ts'
import { seal, unseal, type SealedRow, type SealKeys } from '../sealing/index.ts'

/** Variables by name, such as `OPENAI_API_KEY`. */
export type Variables = Readonly<Record<string, string>>

/** Variables that a page has saved: sealed in the database, for all nodes. */
export interface SavedVariables {
  /** As last read. */
  values(): Variables
  /** The names of those that no key of this node opens. */
  unopened(): readonly string[]
  /** Reads them, and returns whether they have changed since. */
  read(): Promise<boolean>
  /** Removes the variables of these names, and saves others. @throws ServiceError `conflict` without a secret */
  write(removed: readonly string[], saved: Variables): Promise<void>
}

type Tables = { saved_variables: { name: string; sealed: string } }

export const savedVariableMigrations: readonly Migration[] = [
  {
    name: 'settings-1-saved-variables',
    olderMayWrite: true,
    statements: ['CREATE TABLE saved_variables (name TEXT PRIMARY KEY, sealed TEXT NOT NULL) STRICT'],
  },
]

type Keys = {
  /** All that there are. */
  readonly toOpen: () => Promise<readonly Buffer[]>
  readonly toSeal: () => Promise<SealKeys>
}

/** The keys are read once there is something to open or to seal. */
export function createSavedVariables(db: Database, { toOpen, toSeal }: Keys): SavedVariables {
  const tables = db.withTables<Tables>()
  let current: { readonly rows: string; readonly values: Variables; readonly unopened: readonly string[] } = {
    rows: '[]',
    values: {},
    unopened: [],
  }
  const read = coalesce(async () => {
    const found = await tables.selectFrom('saved_variables').selectAll().orderBy('name').execute()
    const rows = JSON.stringify(found.map(({ name, sealed }) => [name, sealed]))
    const isSame = rows === current.rows
    // A key may come later for those that none opens.
    if (isSame && current.unopened.length === 0) return false
    const keys = await toOpen()
    const opened = found.map(({ name, sealed }) => ({
      name,
      text: unseal(sealed, keys, nameOf(name)),
    }))
    const values = opened.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text] as const]))
    const unopened = opened.flatMap(({ name, text }) => (text === undefined ? [name] : []))
    const isUnchanged = isSame && unopened.length === current.unopened.length
    current = { rows, values: Object.fromEntries(values), unopened }
    return !isUnchanged
  })
  return {
    values: () => current.values,
    unopened: () => current.unopened,
    read,
    async write(removed, saved) {
      const keys = Object.keys(saved).length > 0 ? await toSeal() : undefined
      const rows = Object.entries(saved).flatMap(([name, text]) =>
        keys ? [{ name, sealed: seal(text, keys, nameOf(name)) }] : [],
      )
      await tables.transaction().execute(async (trx) => {
        await lockTurn(trx, 'saved variables')
        const names = [...removed, ...Object.keys(saved)]
        await trx.deleteFrom('saved_variables').where('name', 'in', names).execute()
        if (rows.length > 0) await trx.insertInto('saved_variables').values(rows).execute()
      })
    },
  }
}

/** What a variable is sealed for. */
function nameOf(variable: string): string {
  return JSON.stringify(['variable', variable])
}

/** All that is sealed of variables. */
export async function* sealedVariables(db: Database): AsyncGenerator<SealedRow, void> {
  const tables = db.withTables<Tables>()
  for (const { name, sealed } of await tables.selectFrom('saved_variables').selectAll().execute())
    yield {
      name: nameOf(name),
      sealed,
      async replace(value) {
        await tables
          .updateTable('saved_variables')
          .set({ sealed: value })
          .where('name', '=', name)
          .where('sealed', '=', sealed)
          .execute()
      },
    }
}
