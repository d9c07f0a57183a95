import type { Birth } from '../birth/birth.ts'
import type { Language } from '../language.ts'
import type { Voice } from '../voice.ts'

/** What the agent stores about a user beside conversations. */
export type Profile = {
  readonly displayName?: string
  readonly birth?: Birth
  /** What they are occupied with now. */
  readonly focus?: string
  readonly preferences: {
    readonly voice?: Voice
    readonly language?: Language
    /** IANA: in which their days begin. */
    readonly zone?: string
    /** Off: nothing is saved as a memory, and none is told. */
    readonly memory: boolean
  }
  /** By the form of the same name: what they came with, want, and worry about. */
  readonly told: { readonly context?: string; readonly goals?: string; readonly concerns?: string }
  /** ISO 8601; none where nothing was ever said. */
  readonly updatedAt?: string
}

/** What somebody changes of it: `null` takes a field away. */
export type ProfileChange = {
  readonly displayName?: string | null
  readonly birth?: Birth | null
  readonly focus?: string | null
  readonly preferences?: { readonly [K in keyof Profile['preferences']]?: Profile['preferences'][K] | null }
  readonly told?: { readonly [K in keyof Profile['told']]?: string | null }
}

/** One a user. */
export interface Profiles {
  /** One of whom nothing is known has an empty one. */
  get(userId: string): Promise<Profile>
  change(userId: string, change: ProfileChange): Promise<Profile>
  /** Really gone, and the kept greetings with it. */
  remove(userId: string): Promise<void>
}
