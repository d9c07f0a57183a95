import type { ConsoleKit } from '@dragoman/console/view'
import { startTransition, useOptimistic } from 'react'

import type { ProfileChange } from '../src/profile/profile.ts'
import { useSave } from './use-save.ts'

type Preferences = NonNullable<ProfileChange['preferences']>

/** Preferences that are saved as soon as the user chooses. The page shows a choice before it is saved. */
export function usePreferences(kit: ConsoleKit, language: string, saved: Preferences) {
  const { save, isSaved, refusal } = useSave(kit, language)
  const [preferences, show] = useOptimistic(saved, (current, change: Preferences) => ({
    ...current,
    ...change,
  }))
  /** `null` removes what was chosen. */
  const choose = (change: Preferences): void =>
    startTransition(async () => {
      show(change)
      await save('/life/profile', { method: 'PATCH', body: { preferences: change } })
    })
  return { preferences, choose, isSaved, refusal }
}
