import type { Birth } from '../birth/birth.ts'
import type { Language } from '../language.ts'
import type { Voice } from '../voice.ts'

/** The data that the agent stores about a user, without conversations and memories. */
export type Profile = {
  readonly displayName?: string
  readonly birth?: Birth
  /** What the user is occupied with. */
  readonly focus?: string
  readonly preferences: {
    readonly voice?: Voice
    readonly language?: Language
    /** The IANA time zone in which the user's days begin. */
    readonly zone?: string
    /** If false, memories are neither stored nor sent to the model. */
    readonly memory: boolean
  }
  /** The texts of the forms of the same names. */
  readonly told: { readonly context?: string; readonly goals?: string; readonly concerns?: string }
  /** ISO 8601. Absent for an empty profile. */
  readonly updatedAt?: string
}

/** A change of a profile. `null` removes a field. */
export type ProfileChange = {
  readonly displayName?: string | null
  readonly birth?: Birth | null
  readonly focus?: string | null
  readonly preferences?: { readonly [K in keyof Profile['preferences']]?: Profile['preferences'][K] | null }
  readonly told?: { readonly [K in keyof Profile['told']]?: string | null }
}

/** The profiles of all users. */
export interface Profiles {
  /** An unknown user has an empty profile. */
  get(userId: string): Promise<Profile>
  change(userId: string, change: ProfileChange): Promise<Profile>
  /** Deletes the profile and the stored greetings. */
  remove(userId: string): Promise<void>
}
