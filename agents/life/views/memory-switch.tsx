import type { ConsoleKit } from '@dragoman/console/view'

import type { Profile } from '../src/profile/profile.ts'
import { AddMemory } from './add-memory.tsx'
import { translatorOf } from './translator.ts'
import { usePreferences } from './use-preferences.ts'

type MemorySwitchProps = {
  readonly kit: ConsoleKit
  readonly language: string
  readonly profile: Profile
}

/** Turns memory on and off. While it is on, something can be added. */
export function MemorySwitch({ kit, language, profile }: MemorySwitchProps) {
  const t = translatorOf(language)
  const { preferences, choose, refusal } = usePreferences(kit, language, profile.preferences)
  return (
    <section className="life-card">
      <label className="life-check">
        <input
          type="checkbox"
          checked={preferences.memory === true}
          onChange={({ target }) => choose({ memory: target.checked })}
        />
        <span>
          <strong>{t('memory.on')}</strong>
          <small className="quiet">{t('memory.onNote')}</small>
        </span>
      </label>
      {refusal && (
        <p className="notice error" role="alert">
          {refusal.message}
        </p>
      )}
      {profile.preferences.memory && <AddMemory kit={kit} language={language} />}
    </section>
  )
}
