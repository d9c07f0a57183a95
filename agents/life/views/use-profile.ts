import type { ConsoleKit } from '@dragoman/console/view'

import type { Profile } from '../src/profile/profile.ts'

/** A profile as the server sends it. */
export type ShownProfile = Profile & {
  /** What the server understood of the birth. */
  readonly birthWords?: { readonly zh: string; readonly en: string }
}

export function useProfile(kit: ConsoleKit) {
  const { data, error } = kit.useJson<{ profile: ShownProfile }>('/life/profile')
  return { data: data?.profile, error }
}
