import { openTestDatabase } from '../testing/test-storage.fixture.ts'
import { describeFileStore } from './file-store.contract.ts'
import { fileMigrations } from './index.ts'

describeFileStore('the database of the tests', () => openTestDatabase(fileMigrations))
