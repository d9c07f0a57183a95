import type { Profile, ProfileChange } from './profile.ts'

/** What one profile says and another does not: the change that adds it, and the names of its fields. */
export function profileAdditions(
  own: Profile,
  other: Profile,
): { change: ProfileChange; fields: readonly string[] } {
  const top = missingFields(own, {
    displayName: other.displayName,
    birth: other.birth,
    focus: other.focus,
  })
  const { memory, ...preferred } = other.preferences
  const preferences = {
    ...missingFields(own.preferences, preferred),
    // Memory is on by default, so an account without a profile takes the guest's choice.
    ...(own.updatedAt === undefined && !memory && { memory }),
  }
  const texts = missingFields(own.told, other.told)
  return {
    change: { ...top, preferences, told: texts },
    fields: [
      ...Object.keys(top),
      ...Object.keys(preferences).map((name) => `preferences.${name}`),
      ...Object.keys(texts).map((name) => `told.${name}`),
    ],
  }
}

function missingFields<T extends object>(own: object, other: T): Partial<T> {
  const entries = Object.entries(other).filter(
    ([name, value]) => value !== undefined && (own as Record<string, unknown>)[name] === undefined,
  )
  return Object.fromEntries(entries) as Partial<T>
}
