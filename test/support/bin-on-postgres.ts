// The executable with the database of its home in PostgreSQL: node bin-on-postgres.ts … --home HOME …
import { homeDatabaseUrl } from './home-storage.ts'

const home = process.argv[process.argv.indexOf('--home') + 1]
if (home !== undefined) process.env['DATABASE_URL'] = await homeDatabaseUrl(home)
await import('../../apps/server/src/bin.ts')
