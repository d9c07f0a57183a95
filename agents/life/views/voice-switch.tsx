import type { ConsoleKit } from '@dragoman/console/view'

import { voices, type Voice } from '../src/voice.ts'
import { translatorOf } from './translator.ts'
import { usePreferences } from './use-preferences.ts'

type VoiceSwitchProps = { readonly kit: ConsoleKit; readonly language: string; readonly voice: Voice }

/** Chooses the voice of greetings and conversations. */
export function VoiceSwitch({ kit, language, voice }: VoiceSwitchProps) {
  const t = translatorOf(language)
  const { preferences, choose, refusal } = usePreferences(kit, language, { voice })
  return (
    <>
      <fieldset className="life-switch">
        <legend className="visually-hidden">{t('profile.voice')}</legend>
        {voices.map((each) => (
          <label key={each} title={t(`voice.${each}Note`)}>
            <input
              type="radio"
              name="life-voice"
              className="visually-hidden"
              checked={preferences.voice === each}
              onChange={() => choose({ voice: each })}
            />
            {t(`voice.${each}`)}
          </label>
        ))}
      </fieldset>
      {refusal && (
        <span className="life-error" role="alert">
          {refusal.message}
        </span>
      )}
    </>
  )
}
