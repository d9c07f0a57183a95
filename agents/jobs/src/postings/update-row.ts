import type { Transaction, Updateable } from 'kysely'

import type { JobRow, Tables } from '../tables.ts'
import type { Row } from './posting-columns.ts'
import { behind } from './index-posting.ts'

/** Updates a posting's row. @returns false, with nothing changed, if all columns have these values already */
export async function updateRow(
  trx: Transaction<Tables>,
  row: Row,
  columns: Updateable<JobRow>,
  at: string,
): Promise<boolean> {
  if (Object.entries(columns).every(([name, value]) => value === row[name as keyof Row])) return false
  await trx
    .updateTable('jobs')
    .set({ ...columns, ...behind(row, columns), updated_at: at })
    .where('id', '=', row.id)
    .execute()
  return true
}
