import { stat } from 'node:fs/promises'

import { ServiceError } from '../errors.ts'

/** The files of an open database, as they are on the disk. */
export interface DatabaseReplacementCheck {
  /**
   * @throws ServiceError `unavailable` if a file is not the one that was opened. SQLite loses later writes when
   * it closes that file.
   */
  check(): Promise<void>
}

/** Notes the files of a database that has just been opened. */
export async function createDatabaseReplacementCheck(file: string): Promise<DatabaseReplacementCheck> {
  const paths = [file, `${file}-wal`]
  const originalIds = await Promise.all(paths.map(identityOf))
  return {
    async check() {
      const currentIds = await Promise.all(paths.map(identityOf))
      const changedPath = paths.find((_, index) => currentIds[index] !== originalIds[index])
      if (changedPath === undefined) return
      throw new ServiceError(
        'unavailable',
        'The database files were removed or replaced while the server ran. What it writes now is lost when it stops.',
        { cause: new Error(`${changedPath} was removed or replaced while the server ran`) },
      )
    },
  }
}

async function identityOf(path: string): Promise<string | undefined> {
  return stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => undefined,
  )
}
