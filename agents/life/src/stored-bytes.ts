import { sql } from 'kysely'

import type { Database } from 'dragoman/database'

/** What a row takes besides its texts. */
export const ROW_BYTES = 500

/** The bytes of a user's profile and memories. */
export async function storedBytes(db: Database, userId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number | null }>`
    SELECT sum(${sql.lit(ROW_BYTES)} + octet_length(content)) AS bytes FROM life_memories WHERE user_id = ${userId}
    UNION ALL
    SELECT sum(${sql.lit(ROW_BYTES)} + octet_length(preferences) + octet_length(told)) AS bytes
    FROM life_profiles WHERE user_id = ${userId}`.execute(db)
  return rows.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
}
