import type { Migration } from 'dragoman/database'
import { earliest, earliestInPostgres } from './outcomes.ts'

/** The changes of a posting before and after a new one: a walk over an index to the next row. */
function neighborOf(order: '<' | '>', direction: 'ASC' | 'DESC', column: 'id' | 'changed_at'): string {
  return `(
      SELECT near.${column} FROM job_status_history AS near
      WHERE near.job_id = new.job_id AND (near.changed_at, near.id) ${order} (new.changed_at, new.id)
      ORDER BY near.changed_at ${direction}, near.id ${direction} LIMIT 1
    )`
}

const BEFORE = neighborOf('<', 'DESC', 'id')
const AFTER = neighborOf('>', 'ASC', 'changed_at')

const DAYS = 'julianday(left_at) - julianday(changed_at)'
const DAYS_IN_POSTGRES = 'extract(epoch FROM left_at::timestamptz - changed_at::timestamptz) / 86400'

/** The statements of the trigger: a change ends the stay before it, and ends itself where a later one is known. */
function ends(days: string): string {
  return `UPDATE job_status_history SET left_at = new.changed_at WHERE id = ${BEFORE};
    UPDATE job_status_history SET left_at = ${AFTER} WHERE id = new.id;
    UPDATE job_status_history SET stayed_days = ${days} WHERE id = new.id OR id = ${BEFORE};`
}

/** A change of a status writes two rows of the history, however long it is. */
export const stays: Migration = {
  name: 'jobs-3-stays',
  olderMayWrite: true,
  statements: [
    {
      sqlite: [
        'DROP TRIGGER job_status_history_told',
        `CREATE TRIGGER job_status_history_told AFTER INSERT ON job_status_history BEGIN
          UPDATE jobs SET ${earliest.join(', ')} WHERE id = new.job_id;
          ${ends(DAYS)}
        END`,
      ],
      postgres: [
        `CREATE OR REPLACE FUNCTION job_status_history_told() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          UPDATE jobs SET ${earliestInPostgres.join(', ')} WHERE id = new.job_id;
          ${ends(DAYS_IN_POSTGRES)}
          RETURN NULL;
        END $$`,
      ],
    },
  ],
}
