import type { ConsoleKit } from '@dragoman/console/view'

import { languages } from '../src/language.ts'
import { voices, type Voice } from '../src/voice.ts'
import { Field } from './field.tsx'
import { translatorOf } from './translator.ts'
import type { ShownProfile } from './use-profile.ts'
import { usePreferences } from './use-preferences.ts'

type StyleFormProps = {
  readonly kit: ConsoleKit
  readonly language: string
  readonly profile: ShownProfile
}

/** The voice, the language and the time zone. Each choice is saved at once. */
export function StyleForm({ kit, language, profile }: StyleFormProps) {
  const t = translatorOf(language)
  const { preferences, choose, isSaved, refusal } = usePreferences(kit, language, profile.preferences)
  const voice = preferences.voice ?? 'warm'
  const zone = preferences.zone ?? ''
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return (
    <div className="life-fields">
      <Voices language={language} voice={voice} onChoose={choose} />
      <div className="life-row">
        <Field label={t('profile.language')}>
          {(props) => (
            <select
              {...props}
              className="field"
              value={preferences.language ?? ''}
              onChange={({ target }) =>
                choose({ language: languages.find((each) => each === target.value) ?? null })
              }
            >
              <option value="">{t('profile.languageAuto')}</option>
              <option value="zh">中文</option>
              <option value="en">English</option>
            </select>
          )}
        </Field>
        <Field label={t('profile.zone')}>
          {(props) => (
            <select
              {...props}
              className="field"
              value={zone}
              onChange={({ target }) => choose({ zone: target.value === '' ? null : target.value })}
            >
              <option value="">{t('profile.zoneAuto', { zone: timeZone })}</option>
              {zones(zone).map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      <p className="life-status" role="status">
        {isSaved ? t('saved') : ''}
      </p>
      {refusal && (
        <p className="notice error" role="alert">
          {refusal.message}
        </p>
      )}
    </div>
  )
}

type VoicesProps = {
  readonly language: string
  readonly voice: Voice
  readonly onChoose: (preferences: { readonly voice: Voice }) => void
}

function Voices({ language, voice, onChoose }: VoicesProps) {
  const t = translatorOf(language)
  return (
    <fieldset className="life-voices">
      <legend>{t('profile.voice')}</legend>
      {voices.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="life-profile-voice"
            checked={voice === each}
            onChange={() => onChoose({ voice: each })}
          />
          <span>
            <strong>{t(`voice.${each}`)}</strong>
            <small className="quiet">{t(`voice.${each}Note`)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** All zones, also the chosen one if the browser has another name for it. */
function zones(chosen: string): readonly string[] {
  const all = Intl.supportedValuesOf('timeZone')
  return chosen === '' || all.includes(chosen) ? all : [chosen, ...all]
}
