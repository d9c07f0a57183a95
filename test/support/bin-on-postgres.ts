// The executable with the database of its home in PostgreSQL: node bin-on-postgres.ts … --home HOME …
import { homeDatabaseUrl } from './home-storage.ts'

const at = process.argv.indexOf('--home')
const home = process.argv[at + 1]
if (at > 0 && home !== undefined) process.env['DATABASE_URL'] = await homeDatabaseUrl(home)
await import('../../apps/server/src/bin.ts')
