import type { ProfileRow } from '../life-tables.ts'
import type { Profile, ProfileChange } from './profile.ts'

/** A profile as a change makes it. */
export function applyChange(profile: Profile, change: ProfileChange): Profile {
  const { preferences, told, ...fields } = change
  const merged = without({ ...profile.preferences, ...preferences })
  return {
    ...without({ ...profile, ...fields }),
    preferences: { ...merged, memory: preferences?.memory ?? profile.preferences.memory },
    told: without({ ...profile.told, ...told }),
  }
}

type Present<T> = { [K in keyof T]: Exclude<T[K], null | undefined> }

/** What is null or not said is not there. */
function without<T extends object>(fields: T): Present<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(entries) as Present<T>
}

/** Each change has a time of its own: by it another one that came meanwhile is known. */
export function toRow(userId: string, profile: Profile, before: string | undefined): ProfileRow {
  const earliest = before === undefined ? 0 : Date.parse(before) + 1
  return {
    user_id: userId,
    display_name: profile.displayName ?? null,
    birth: profile.birth ? JSON.stringify(profile.birth) : null,
    focus: profile.focus ?? null,
    preferences: JSON.stringify(profile.preferences),
    told: JSON.stringify(profile.told),
    updated_at: new Date(Math.max(Date.now(), earliest)).toISOString(),
  }
}

export function toProfile(row: ProfileRow | undefined): Profile {
  if (!row) return { preferences: { memory: true }, told: {} }
  const preferences = JSON.parse(row.preferences) as Partial<Profile['preferences']>
  return {
    ...(row.display_name !== null && { displayName: row.display_name }),
    ...(row.birth !== null && { birth: JSON.parse(row.birth) as NonNullable<Profile['birth']> }),
    ...(row.focus !== null && { focus: row.focus }),
    preferences: { memory: true, ...preferences },
    told: JSON.parse(row.told) as Profile['told'],
    updatedAt: row.updated_at,
  }
}
