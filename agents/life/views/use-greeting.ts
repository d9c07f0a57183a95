import type { ConsoleKit } from '@dragoman/console/view'

import type { Greeting } from '../src/greeting/greeting.ts'
import { useProfile } from './use-profile.ts'

/** The greeting of the day, by the clock of the profile or else of the browser. */
export function useGreeting(kit: ConsoleKit, language: string): Greeting | undefined {
  const { data: profile } = useProfile(kit)
  const query = new URLSearchParams({ language: language === 'zh' ? 'zh' : 'en' })
  if (profile?.preferences.zone === undefined)
    query.set('time_zone', Intl.DateTimeFormat().resolvedOptions().timeZone)
  return kit.useJson<Greeting>(profile && `/api/fortune/greeting?${query}`).data
}
