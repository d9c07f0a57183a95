import { describe } from 'vitest'

import { describeFileStore } from '../../dragoman/src/files/file-store.contract.ts'
import { openTestDatabase, hasServer } from './postgres.fixture.ts'

describe.runIf(hasServer)('with a server', () => {
  describeFileStore('PostgreSQL', openTestDatabase)
})
