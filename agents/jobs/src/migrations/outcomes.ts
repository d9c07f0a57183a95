import type { MigrationStatement } from 'dragoman/database'

/** The statuses that mean that a posting reached a stage. An interview or an offer implies an application. */
const REACHED: Readonly<Record<string, string>> = {
  reached_applied_at: "'applied', 'interviewing', 'offer'",
  // The day of an application is only known if the status was set.
  told_applied_at: "'applied'",
  reached_interview_at: "'interviewing', 'offer'",
  reached_offer_at: "'offer'",
  reached_rejected_at: "'rejected'",
  reached_skipped_at: "'skipped'",
}

/** `~` is later than any time. */
export const earliest = Object.entries(REACHED).map(
  ([column, statuses]) =>
    `${column} = iif(new.new_status IN (${statuses}), min(coalesce(${column}, '~'), new.changed_at), ${column})`,
)

// In a trigger SQLite before 3.51 takes no alias for what is updated.
const SQLITE_TRIGGER = `CREATE TRIGGER job_status_history_told AFTER INSERT ON job_status_history BEGIN
    UPDATE jobs SET ${earliest.join(', ')} WHERE id = new.job_id;
    UPDATE job_status_history SET left_at = (
      SELECT changed_at FROM job_status_history AS next
      WHERE next.job_id = job_status_history.job_id
        AND (next.changed_at, next.id) > (job_status_history.changed_at, job_status_history.id)
      ORDER BY next.changed_at, next.id LIMIT 1
    ) WHERE job_id = new.job_id;
    UPDATE job_status_history SET stayed_days = julianday(left_at) - julianday(changed_at)
    WHERE job_id = new.job_id AND left_at IS NOT NULL;
  END`

/** `least` passes over NULL. */
export const earliestInPostgres = Object.entries(REACHED).map(
  ([column, statuses]) =>
    `${column} = CASE WHEN new.new_status IN (${statuses}) THEN least(${column}, new.changed_at) ELSE ${column} END`,
)

const POSTGRES_TRIGGER = [
  `CREATE FUNCTION job_status_history_told() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    UPDATE jobs SET ${earliestInPostgres.join(', ')} WHERE id = new.job_id;
    UPDATE job_status_history AS stay SET left_at = next.left_at,
      stayed_days = extract(epoch FROM next.left_at::timestamptz - stay.changed_at::timestamptz) / 86400
    FROM (
      SELECT id, lead(changed_at) OVER (ORDER BY changed_at, id) AS left_at
      FROM job_status_history WHERE job_id = new.job_id
    ) AS next
    WHERE stay.id = next.id AND stay.left_at IS DISTINCT FROM next.left_at;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER job_status_history_told AFTER INSERT ON job_status_history
    FOR EACH ROW EXECUTE FUNCTION job_status_history_told()`,
]

/**
 * Kept with each change of a status, so that the figures of ten thousand postings are made of one walk over an index.
 */
export const outcomes: readonly MigrationStatement[] = [
  ...Object.keys(REACHED).map((column) => `ALTER TABLE jobs ADD COLUMN ${column} TEXT`),
  'ALTER TABLE job_status_history ADD COLUMN left_at TEXT',
  'ALTER TABLE job_status_history ADD COLUMN stayed_days REAL',
  { sqlite: [SQLITE_TRIGGER], postgres: POSTGRES_TRIGGER },
]
