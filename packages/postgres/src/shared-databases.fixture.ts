import { Client } from 'pg'

import { openSessionPooler } from './session-pooler.fixture.ts'

/** Databases that are reused from test to test. */
export type SharedDatabases = {
  /** The URL of a database with only the rows of the template. It is valid until the name is dropped. */
  readonly open: (name: string) => Promise<string>
  readonly drop: (name: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** A hash of all tables, columns, indexes and sequences. */
const SHAPE = `
SELECT md5(string_agg(concat_ws(' ', relname, attname, atttypid, attnum, attnotnull), ',' ORDER BY relname, attnum))
FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid WHERE relnamespace = 'public'::regnamespace`

/** Many dead rows would slow down later tests. */
const TRUNCATE = `
DO $$
DECLARE large text;
BEGIN
  SELECT string_agg(oid::regclass::text, ',') INTO large FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 40000;
  IF large IS NOT NULL THEN EXECUTE 'TRUNCATE ' || large || ' CASCADE'; END IF;
END $$`

const TABLES = `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`
const SEQUENCES = `
SELECT format('SELECT setval(%L, %s, %L)', quote_ident(sequencename), coalesce(last_value, start_value),
  last_value IS NOT NULL) AS text
FROM pg_sequences WHERE schemaname = 'public'`

/** The server's databases. */
export type DatabaseServer = {
  readonly urlOf: (database: string) => string
  readonly create: (database: string, template: string) => Promise<string>
  readonly remove: (database: string) => Promise<void>
}

/** Deleting the rows of a test takes a tenth of the time of copying the template. */
export async function createSharedDatabases(
  { urlOf, create, remove }: DatabaseServer,
  template: string,
): Promise<SharedDatabases> {
  const databases = new Map<string, string>()
  const pooler = await openSessionPooler((name) => databases.get(name), urlOf)
  const free: string[] = []
  const opening = new Map<string, Promise<void>>()
  let count = 0
  const pooledUrl = (name: string): string => `postgres://dragoman@127.0.0.1:${pooler.port}/${name}`
  const createNext = async (): Promise<string> => {
    const database = `${template}_${(count += 1)}`
    await create(database, template)
    // `empty` connects by this name.
    databases.set(database, database)
    return database
  }
  const take = async (name: string): Promise<void> => {
    databases.set(name, free.pop() ?? (await createNext()))
  }
  const emptying = await query(urlOf(template), emptyingStatements)
  const shape = await query(urlOf(template), shapeOf)
  const empty = (database: string): Promise<boolean> =>
    query(pooledUrl(database), async (client) => {
      await client.query(emptying)
      return (await shapeOf(client)) === shape
    }).catch(() => false)
  return {
    async open(name) {
      const taking = opening.get(name) ?? take(name)
      opening.set(name, taking)
      await taking
      return pooledUrl(name)
    },
    async drop(name) {
      const database = databases.get(name)
      if (database === undefined) return
      const isUnused = await pooler.untilUnused(name)
      databases.delete(name)
      opening.delete(name)
      if (isUnused && (await empty(database))) free.push(database)
      else {
        databases.delete(database)
        await remove(database)
      }
    },
    async close() {
      pooler.close()
      for (const database of new Set(databases.values())) await remove(database)
    },
  }
}

async function emptyingStatements(client: Client): Promise<string> {
  const tables = (await client.query<{ name: string }>(TABLES)).rows
  const statements = tables.map(({ name }) => `DELETE FROM ${name}`)
  for (const { name } of tables) {
    const { rows } = await client.query(`SELECT * FROM ${name}`)
    const values = client.escapeLiteral(JSON.stringify(rows))
    if (rows.length > 0)
      statements.push(`INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, ${values})`)
  }
  const sequences = await client.query<{ text: string }>(SEQUENCES)
  return [
    'BEGIN',
    // Without triggers and foreign keys, the order does not matter.
    'SET LOCAL session_replication_role = replica',
    TRUNCATE,
    ...statements,
    ...sequences.rows.map(({ text }) => text),
    'COMMIT',
  ].join(';')
}

async function shapeOf(client: Client): Promise<unknown> {
  return (await client.query<{ md5: string }>(SHAPE)).rows[0]?.md5
}

async function query<Result>(url: string, ask: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(url).on('error', () => undefined)
  await client.connect()
  try {
    return await ask(client)
  } finally {
    await client.end()
  }
}
